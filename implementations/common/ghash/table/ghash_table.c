/*
 * GHASH with a table of 16 multiples of the key, byte by byte.
 *
 * References: NIST SP 800-38D (2007), sections 6.3 (multiplication of blocks), 6.4 (GHASH).
 * V. Shoup, "On fast and provably secure message authentication based on universal hashing",
 * CRYPTO 1996: tables of 4 bits.
 *
 * A block stands for a polynomial modulo x^128 + x^7 + x^2 + x + 1 whose coefficient of x^i is
 * the bit 7 - i % 8 of byte i / 8: multiplying by x is shifting towards higher addresses. Of a
 * byte of X, the upper nibble holds the lower powers. With u_i and l_i the nibbles of byte i,
 *
 *     X H = sum x^(8i) (u_i H) + x^4 sum x^(8i) (l_i H)
 *
 * where each sum is evaluated by Horner's rule from i = 15 down, so that all shifts but one are by
 * whole bytes.
 */
#include "ghash.h"

#include <string.h>

/* z = x^8 z. What leaves at x^128 .. x^135 returns by x^128 = x^7 + x^2 + x + 1. */
static void multiply_x8(uint8_t z[16])
{
    const uint8_t top = z[15];

    for (uint8_t i = 15; i > 0; i--) {
        z[i] = z[i - 1];
    }
    z[0] = (uint8_t)(top ^ top >> 1 ^ top >> 2 ^ top >> 7);
    z[1] ^= (uint8_t)(top << 7 ^ top << 6 ^ top << 1);
}

/* z = x^4 z. */
static void multiply_x4(uint8_t z[16])
{
    const uint8_t top = (uint8_t)(z[15] << 4);

    for (uint8_t i = 15; i > 0; i--) {
        z[i] = (uint8_t)(z[i] >> 4 | z[i - 1] << 4);
    }
    z[0] = (uint8_t)(z[0] >> 4 ^ top ^ top >> 1 ^ top >> 2 ^ top >> 7);
    z[1] ^= (uint8_t)(top << 7 ^ top << 6 ^ top << 1);
}

/* z = x z. */
static void multiply_x(uint8_t z[16])
{
    const uint8_t top = z[15] & 1;

    for (uint8_t i = 15; i > 0; i--) {
        z[i] = (uint8_t)(z[i] >> 1 | z[i - 1] << 7);
    }
    z[0] = (uint8_t)(z[0] >> 1 ^ (top ? 0xe1 : 0));
}

/* z ^= y. */
static void add(uint8_t z[16], const uint8_t y[16])
{
    for (uint8_t i = 0; i < 16; i++) {
        z[i] ^= y[i];
    }
}

void ghash_init(ghash_state *state, const uint8_t h[16])
{
    memset(state, 0, sizeof *state);
    /* The nibble's most significant bit is x^0, so 8 stands for 1, 4 for x, 2 for x^2, 1 for x^3. */
    memcpy(state->multiple[8], h, 16);
    for (uint8_t n = 4; n > 0; n >>= 1) {
        memcpy(state->multiple[n], state->multiple[2 * n], 16);
        multiply_x(state->multiple[n]);
    }
    for (uint8_t n = 2; n < 16; n = (uint8_t)(n << 1)) {
        for (uint8_t m = 1; m < n; m++) {
            memcpy(state->multiple[n + m], state->multiple[n], 16);
            add(state->multiple[n + m], state->multiple[m]);
        }
    }
}

/* y = y H. */
static void multiply_h(ghash_state *state)
{
    uint8_t upper[16], lower[16];

    memcpy(upper, state->multiple[state->y[15] >> 4], 16);
    memcpy(lower, state->multiple[state->y[15] & 15], 16);
    for (uint8_t i = 15; i-- > 0;) {
        multiply_x8(upper);
        add(upper, state->multiple[state->y[i] >> 4]);
        multiply_x8(lower);
        add(lower, state->multiple[state->y[i] & 15]);
    }
    multiply_x4(lower);
    add(upper, lower);
    memcpy(state->y, upper, 16);
}

void ghash_update(ghash_state *state, const uint8_t *data, size_t length)
{
    while (length != 0) {
        const uint8_t n = length < 16 ? (uint8_t)length : 16;

        for (uint8_t i = 0; i < n; i++) {
            state->y[i] ^= data[i];
        }
        multiply_h(state);
        data += n;
        length -= n;
    }
}

void ghash_digest(const ghash_state *state, uint8_t digest[16])
{
    memcpy(digest, state->y, 16);
}
