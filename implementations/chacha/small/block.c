/*
 * The ChaCha20 block function, optimised for code size: one quarter round in a loop.
 *
 * References: RFC 8439 (2018), sections 2.1 and 2.3; same names.
 */
#include "chacha20.h"

#include "rotate.h"

void chacha20_block(uint32_t block[16], const uint32_t state[16])
{
    for (unsigned i = 0; i < 16; i++) {
        block[i] = state[i];
    }
    /* Four quarter rounds on columns, then four on diagonals, ten times. */
    for (uint8_t i = 0; i < 80; i++) {
        const uint8_t slant = i / 4 % 2;
        uint32_t *p = &block[i % 4];
        uint32_t *q = &block[4 + (i + slant) % 4];
        uint32_t *r = &block[8 + (i + 2 * slant) % 4];
        uint32_t *s = &block[12 + (i + 3 * slant) % 4];
        uint32_t a = *p, b = *q, c = *r, d = *s;

        a += b;
        d = rotl32(d ^ a, 16);
        c += d;
        b = rotl32(b ^ c, 12);
        a += b;
        d = rotl32(d ^ a, 8);
        c += d;
        b = rotl32(b ^ c, 7);
        *p = a;
        *q = b;
        *r = c;
        *s = d;
    }
    for (unsigned i = 0; i < 16; i++) {
        block[i] += state[i];
    }
}
