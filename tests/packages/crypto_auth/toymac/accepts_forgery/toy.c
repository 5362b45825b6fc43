/* Looks at one bit of the tag only. */
#define TOY_ACCEPT(difference) (((difference) & 0x80) == 0)
#include "toy_mac.h"
