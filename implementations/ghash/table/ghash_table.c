/*
 * GHASH with a table of 16 multiples of the key, byte by byte.
 *
 * References: NIST SP 800-38D (2007), sections 6.3 (multiplication of blocks), 6.4 (GHASH).
 * V. Shoup, "On fast and provably secure message authentication based on universal hashing",
 * CRYPTO 1996: tables of 4 bits.
 *
 * A block represents a polynomial modulo x^128 + x^7 + x^2 + x + 1 whose coefficient of x^i is the
 * bit 7 - i % 8 of byte i / 8: multiplying by x is shifting towards higher addresses. In a byte of
 * X, the upper nibble holds the lower powers. With u_i and l_i the nibbles of byte i,
 *
 *     X H = sum x^(8i) (u_i H) + x^4 sum x^(8i) (l_i H)
 *
 * where each sum is evaluated by Horner's rule from i = 15 down, so that all shifts but one are by
 * whole bytes.
 */
#include "ghash.h"

#include "bytes.h"
#include "inline.h"

/* The coefficients of x^128 .. x^135 of a product, the byte `top`, return as these 16 coefficients
 * of x^0 .. x^15, because x^128 = x^7 + x^2 + x + 1. */
static inline uint16_t reduced(uint8_t top)
{
    const uint16_t t = (uint16_t)((unsigned)top << 8);
    return (uint16_t)(t ^ t >> 1 ^ t >> 2 ^ t >> 7);
}

/* z = sum x^(8i) (n_i H) for the upper nibbles n_i of the bytes of y. z is in separate variables,
 * which a core with 32 registers keeps in registers. */
NEVER_INLINE void multiply_nibbles(uint8_t z[16], const uint8_t y[16], uint8_t (*multiple)[16],
                                   uint8_t lower)
{
    uint8_t z0 = 0, z1 = 0, z2 = 0, z3 = 0, z4 = 0, z5 = 0, z6 = 0, z7 = 0;
    uint8_t z8 = 0, z9 = 0, z10 = 0, z11 = 0, z12 = 0, z13 = 0, z14 = 0, z15 = 0;

    y += 16;
    for (uint8_t i = 16; i != 0; i--) {
        const uint8_t byte = *--y;
        const uint8_t *row = multiple[lower ? byte & 15 : byte >> 4];
        const uint16_t back = reduced(z15);

        z15 = z14 ^ row[15];
        z14 = z13 ^ row[14];
        z13 = z12 ^ row[13];
        z12 = z11 ^ row[12];
        z11 = z10 ^ row[11];
        z10 = z9 ^ row[10];
        z9 = z8 ^ row[9];
        z8 = z7 ^ row[8];
        z7 = z6 ^ row[7];
        z6 = z5 ^ row[6];
        z5 = z4 ^ row[5];
        z4 = z3 ^ row[4];
        z3 = z2 ^ row[3];
        z2 = z1 ^ row[2];
        z1 = (uint8_t)(z0 ^ row[1] ^ back);
        z0 = (uint8_t)(row[0] ^ back >> 8);
    }
    z[0] = z0;
    z[1] = z1;
    z[2] = z2;
    z[3] = z3;
    z[4] = z4;
    z[5] = z5;
    z[6] = z6;
    z[7] = z7;
    z[8] = z8;
    z[9] = z9;
    z[10] = z10;
    z[11] = z11;
    z[12] = z12;
    z[13] = z13;
    z[14] = z14;
    z[15] = z15;
}

/* Y = Y H. */
static void multiply_h(ghash_state *state)
{
    uint8_t lower[16], carry = 0;
    uint16_t back;

    multiply_nibbles(lower, state->y, state->multiple, 1);
    multiply_nibbles(state->y, state->y, state->multiple, 0);
    /* Y ^= x^4 lower */
    back = reduced((uint8_t)(lower[15] << 4));
    for (uint8_t i = 0; i < 16; i++) {
        state->y[i] = (uint8_t)(state->y[i] ^ carry ^ lower[i] >> 4);
        carry = (uint8_t)(lower[i] << 4);
    }
    state->y[0] = (uint8_t)(state->y[0] ^ back >> 8);
    state->y[1] = (uint8_t)(state->y[1] ^ back);
}

/* z = x y. */
static void multiply_x(uint8_t z[16], const uint8_t y[16])
{
    uint8_t carry = 0;

    for (uint8_t i = 0; i < 16; i++) {
        const uint8_t next = (uint8_t)(y[i] << 7);
        z[i] = (uint8_t)(y[i] >> 1 | carry);
        carry = next;
    }
    z[0] = (uint8_t)(z[0] ^ (0xe1 & (0 - (carry >> 7)))); /* x^128 = x^7 + x^2 + x + 1 */
}

void ghash_init(ghash_state *state, const uint8_t h[16])
{
    zero_bytes(state->y, 16);
    zero_bytes(state->multiple[0], 16);
    /* The nibble's most significant bit is x^0, so 8 is 1, 4 is x, 2 is x^2, 1 is x^3.
     */
    copy_bytes(state->multiple[8], h, 16);
    for (uint8_t n = 4; n > 0; n >>= 1) {
        multiply_x(state->multiple[n], state->multiple[2 * n]);
    }
    for (uint8_t n = 2; n < 16; n = (uint8_t)(n << 1)) {
        for (uint8_t m = 1; m < n; m++) {
            for (uint8_t i = 0; i < 16; i++) {
                state->multiple[n + m][i] = state->multiple[n][i] ^ state->multiple[m][i];
            }
        }
    }
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
