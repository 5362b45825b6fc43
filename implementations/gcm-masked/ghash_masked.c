/*
 * GHASH on shares.
 *
 * References: NIST SP 800-38D (2007), sections 6.3 (multiplication of blocks), 6.4 (GHASH). Y.
 * Ishai, A. Sahai, D. Wagner, "Private Circuits", CRYPTO 2003, for the product, as in
 * ../masked/word32.h: here, of elements of GF(2^128), with four fresh random words for each pair of
 * shares.
 *
 * The blocks are public, but each sum Y depends on H, the hash subkey, from the second block on: Y
 * H is a product of two shared values.
 */
#include "ghash_masked.h"

#include "bytes.h"
#include "multiply.h"

/* z = y H. */
static void product(uint32_t z[4], const uint32_t y[4], const ghash_state *h)
{
    for (unsigned i = 0; i < 4; i++) {
        z[i] = y[i];
    }
    multiply(z, h->h);
}

/* Y = Y H. A fresh random word for each pair of shares is added first to any product of different
 * shares. */
static void multiply_h(masked_ghash *state)
{
    uint32_t z[MASKED_SHARES][4], one[4], other[4];
    ghash_state *s = state->share;

    for (unsigned i = 0; i < MASKED_SHARES; i++) {
        product(z[i], s[i].y, &s[i]);
    }
    for (unsigned i = 0; i < MASKED_SHARES; i++) {
        for (unsigned j = i + 1; j < MASKED_SHARES; j++) {
            product(one, s[i].y, &s[j]);
            product(other, s[j].y, &s[i]);
            for (unsigned k = 0; k < 4; k++) {
                const uint32_t random = pw_random32();

                one[k] ^= random;
                KEEP(one[k]);
                other[k] ^= random;
                KEEP(other[k]);
                z[i][k] ^= one[k];
                z[j][k] ^= other[k];
            }
        }
    }
    for (unsigned i = 0; i < MASKED_SHARES; i++) {
        for (unsigned k = 0; k < 4; k++) {
            s[i].y[k] = z[i][k];
        }
    }
}

void masked_ghash_update(masked_ghash *state, const uint8_t *data, size_t length)
{
    while (length != 0) {
        const uint8_t n = length < 16 ? (uint8_t)length : 16;
        uint8_t block[16];

        copy_bytes(block, data, n);
        zero_bytes(block + n, sizeof block - n);
        for (unsigned k = 0; k < 4; k++) {
            state->share[0].y[k] ^= load32_be(block + 12 - 4 * k);
        }
        multiply_h(state);
        data += n;
        length -= n;
    }
}
