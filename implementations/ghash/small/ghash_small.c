/*
 * GHASH bit by bit, in constant time: without a table, with the least code and RAM.
 *
 * References: NIST SP 800-38D (2007), sections 6.3 (multiplication of blocks), 6.4 (GHASH).
 *
 * A block, read as an integer with the most significant byte first, represents a polynomial modulo
 * x^128 + x^7 + x^2 + x + 1 with the coefficient of x^i in bit 127 - i: multiplying by x is
 * shifting right.
 */
#include "ghash.h"

#include "bytes.h"
#include "inline.h"

/* Y = Y H by Horner's rule: for each bit of Y, from the coefficient of x^127 down, Z = x Z, and
 * plus H if the bit is set. */
NEVER_INLINE void multiply_h(ghash_state *state)
{
    uint32_t z[4];

    z[0] = z[1] = z[2] = z[3] = 0;
    for (uint8_t i = 16; i-- > 0;) {
        uint8_t y = state->y[i];

        for (uint8_t bit = 0; bit < 8; bit++) {
            const uint32_t mask = 0 - (uint32_t)(y & 1);
            uint32_t carry = 0;

            for (uint8_t j = 0; j < 4; j++) {
                const uint32_t next = z[j] << 31;
                z[j] = (z[j] >> 1 | carry) ^ (state->h[j] & mask);
                carry = next;
            }
            z[0] ^= (0 - (carry >> 31)) & 0xe1000000; /* x^128 = x^7 + x^2 + x + 1 */
            y >>= 1;
        }
    }
    for (uint8_t j = 0; j < 4; j++) {
        store32_be(state->y + 4 * j, z[j]);
    }
}

void ghash_init(ghash_state *state, const uint8_t h[16])
{
    for (uint8_t j = 0; j < 4; j++) {
        state->h[j] = load32_be(h + 4 * j);
    }
    zero_bytes(state->y, 16);
}

void ghash_update(ghash_state *state, const uint8_t *data, size_t length)
{
    while (length != 0) {
        const uint8_t n = length < 16 ? (uint8_t)length : 16;

        for (uint8_t i = 0; i < n; i++) {
            state->y[i] ^= *data++;
        }
        multiply_h(state);
        length -= n;
    }
}

void ghash_digest(const ghash_state *state, uint8_t digest[16])
{
    copy_bytes(digest, state->y, 16);
}
