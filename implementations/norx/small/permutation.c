/*
 * The permutation of NORX32 optimised for code size: one G in a loop.
 *
 * References: J.-P. Aumasson, P. Jovanovic, S. Neves, "NORX v3.0" (2016), section 3.4; same
 * names.
 */
#include "norx.h"

#include "order.h"

void norx_permute(uint32_t s[16])
{
    /* Four columns, then the four diagonals: columns after moving row i to the left by i. */
    for (uint8_t n = 0; n < 2 * NORX_ROUNDS; n++) {
        const uint8_t diagonal = n & 1;

        for (uint8_t i = 0; i < 4; i++) {
            uint8_t j = i;
            uint32_t *const pa = &s[j], *const pb = &s[4 + ((j = (uint8_t)(j + diagonal)) & 3)];
            uint32_t *const pc = &s[8 + ((j = (uint8_t)(j + diagonal)) & 3)];
            uint32_t *const pd = &s[12 + ((j + diagonal) & 3)];
            uint32_t a = little_endian32(*pa), b = little_endian32(*pb);
            uint32_t c = little_endian32(*pc), d = little_endian32(*pd);

            NORX_G(a, b, c, d);
            *pa = little_endian32(a);
            *pb = little_endian32(b);
            *pc = little_endian32(c);
            *pd = little_endian32(d);
        }
    }
}
