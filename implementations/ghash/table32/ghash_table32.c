/*
 * GHASH with a table of 16 multiples of the key, for 32-bit cores.
 *
 * References: NIST SP 800-38D (2007), sections 6.3 (multiplication of blocks), 6.4 (GHASH).
 * V. Shoup, "On fast and provably secure message authentication based on universal hashing",
 * CRYPTO 1996: tables of 4 bits.
 *
 * A block, read as an integer with the most significant byte first, represents a polynomial modulo
 * x^128 + x^7 + x^2 + x + 1 with the coefficient of x^i in bit 127 - i: multiplying by x is
 * shifting right. Y H is evaluated by Horner's rule in x^4, from the least significant nibble of Y
 * to the most significant; word 0 of a block is the least significant.
 */
#include "ghash.h"

#include "bytes.h"
#include "keep.h"

/* Y = Y H. */
static void multiply_h(ghash_state *state)
{
    uint32_t z0 = 0, z1 = 0, z2 = 0, z3 = 0;

    for (unsigned word = 0; word < 4; word++) {
        uint32_t y = state->y[word];
        uint32_t out = 0; /* coefficients of Z from x^128 on, 32 bits in eight steps */

        for (unsigned nibble = 0; nibble < 8; nibble++) {
            const uint32_t *multiple = state->multiple[y & 15];

            y >>= 4;
            out = out >> 4 | z0 << 28;
            KEEP(out);
            z0 = (z0 >> 4 | z1 << 28) ^ multiple[0];
            KEEP(z0);
            z1 = (z1 >> 4 | z2 << 28) ^ multiple[1];
            KEEP(z1);
            z2 = (z2 >> 4 | z3 << 28) ^ multiple[2];
            KEEP(z2);
            z3 = z3 >> 4 ^ multiple[3];
        }
        /* x^128 = x^7 + x^2 + x + 1 */
        z3 ^= out ^ out >> 1 ^ out >> 2 ^ out >> 7;
        z2 ^= out << 31 ^ out << 30 ^ out << 25;
    }
    state->y[0] = z0;
    state->y[1] = z1;
    state->y[2] = z2;
    state->y[3] = z3;
}

void ghash_init(ghash_state *state, const uint8_t h[16])
{
    uint32_t (*multiple)[4] = state->multiple;
    uint32_t v[4];

    for (unsigned i = 0; i < 4; i++) {
        v[i] = load32_be(h + 12 - 4 * i);
        multiple[0][i] = 0;
        state->y[i] = 0;
    }
    /* The nibble's most significant bit is x^0: 8 is 1, 4 is x, 2 is x^2, 1 is x^3. The multiples
     * between powers are sums of those below. */
    for (unsigned n = 8; n != 0; n >>= 1) {
        const uint32_t reduction = (v[0] & 1) * 0xe1000000;

        multiple[n][0] = v[0];
        multiple[n][1] = v[1];
        multiple[n][2] = v[2];
        multiple[n][3] = v[3];
        v[0] = v[0] >> 1 | v[1] << 31;
        v[1] = v[1] >> 1 | v[2] << 31;
        v[2] = v[2] >> 1 | v[3] << 31;
        v[3] = v[3] >> 1 ^ reduction;
    }
    for (unsigned n = 2; n < 16; n <<= 1) {
        for (unsigned m = 1; m < n; m++) {
            for (unsigned i = 0; i < 4; i++) {
                multiple[n + m][i] = multiple[n][i] ^ multiple[m][i];
            }
        }
    }
}

void ghash_update(ghash_state *state, const uint8_t *data, size_t length)
{
    uint8_t last[16];

    while (length != 0) {
        const uint8_t *block = data;

        if (length < 16) {
            zero_bytes(last, 16);
            copy_bytes(last, data, length);
            block = last;
            length = 16;
        }
        for (unsigned i = 0; i < 4; i++) {
            state->y[i] ^= load32_be(block + 12 - 4 * i);
        }
        multiply_h(state);
        data += 16;
        length -= 16;
    }
}

void ghash_digest(const ghash_state *state, uint8_t digest[16])
{
    for (unsigned i = 0; i < 4; i++) {
        store32_be(digest + 12 - 4 * i, state->y[i]);
    }
}
