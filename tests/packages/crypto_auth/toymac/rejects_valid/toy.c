/* Rejects every tag. */
#define TOY_ACCEPT(difference) ((difference) > 255)
#include "toy_mac.h"
