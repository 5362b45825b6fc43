/* Xoodoo in C, with other names. */
#define xoodoo_permute reference_permute
#include "../../implementations/xoodoo/fast32/permutation.c"
#include "blocks.h"

void reference_block(xoodoo_state *s, uint8_t *output, const uint8_t *input, uint8_t length,
                     uint8_t direction)
{
    xoodoo_permute(s);
    xoodoo_take(s, output, input, length, direction);
    s->bytes[length] ^= 1;
}
