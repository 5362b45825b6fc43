/* Writes one byte behind the tag. */
#define TOY_BEFORE_AUTH out[16] = 0;
#include "toy_mac.h"
