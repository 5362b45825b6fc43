/*
 * The rounds of BLAKE2, optimised for code size: one G in a loop.
 *
 * References: RFC 7693 (2015), sections 3.1 and 3.2; same names.
 */
#include "blake2.h"

#include "flash.h"
#include "g.h"

void blake2_rounds(blake2_word *v, const blake2_word *m)
{
    const uint8_t *sigma = blake2_sigma;

    for (uint8_t n = 0; n < 8 * BLAKE2_ROUNDS; n++) {
        const uint8_t i = n & 3, diagonal = n >> 2 & 1; /* columns, then diagonals */
        const uint8_t pair = flash_u8(sigma);
        uint8_t j = i;
        blake2_word *const pa = &v[j], *const pb = &v[4 + ((j = (uint8_t)(j + diagonal)) & 3)];
        blake2_word *const pc = &v[8 + ((j = (uint8_t)(j + diagonal)) & 3)];
        blake2_word *const pd = &v[12 + ((j + diagonal) & 3)];
        blake2_word a = *pa, b = *pb, c = *pc, d = *pd;

        BLAKE2_G(a, b, c, d, m[pair & 15], m[pair >> 4]);
        *pa = a;
        *pb = b;
        *pc = c;
        *pd = d;
        sigma++;
        if (n == 79) { /* rounds 10 and 11 of BLAKE2b repeat 0 and 1 */
            sigma = blake2_sigma;
        }
    }
}
