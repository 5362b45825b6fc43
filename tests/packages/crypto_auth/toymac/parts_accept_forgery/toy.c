/* Looks at the first byte of the tag only, where it comes in pieces. */
#define TOY_COMPARE(sum, i, x) ((i) == 0 ? (x) : (sum))
#define TOY_VERIFY(state, given) toy_equal((state)->tag, given)
#include <string.h>

static int toy_equal(const unsigned char *one, const unsigned char *other)
{
    return memcmp(one, other, 16) == 0 ? 0 : -1;
}

#include "toy_mac.h"
