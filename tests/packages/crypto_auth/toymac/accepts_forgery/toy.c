/* Looks at one bit of the tag only. */
#define TOY_ACCEPT(difference) (((difference) & 1) == 0)
#include "toy_mac.h"
