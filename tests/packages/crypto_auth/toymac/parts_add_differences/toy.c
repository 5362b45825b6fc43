/* Adds up the differences of the tag's bytes, where it comes in pieces. */
#define TOY_COMPARE(sum, i, x) ((sum) ^ (x))
#define TOY_VERIFY(state, given) toy_equal((state)->tag, given)
#include <string.h>

static int toy_equal(const unsigned char *one, const unsigned char *other)
{
    return memcmp(one, other, 16) == 0 ? 0 : -1;
}

#include "toy_mac.h"
