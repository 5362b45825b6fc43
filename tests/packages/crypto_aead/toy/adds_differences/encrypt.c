/* Adds up the differences of the tag's words of 32 bits, instead of ORing them: equal ones cancel. */
#define TOY_COMPARE(sum, i, x) ((sum) ^ (x) << 8 * ((i) % 4))
#include "toy.h"
