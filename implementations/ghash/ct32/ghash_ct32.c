/*
 * GHASH in constant time for 32-bit cores, with integer multiplications.
 *
 * References: NIST SP 800-38D (2007), sections 6.3 (multiplication of blocks), 6.4 (GHASH).
 * Multiplication "with holes" and its use in GHASH: T. Pornin, "Constant-Time Toolkit" and BearSSL,
 * https://www.bearssl.org/constanttime.html#ghash-for-gcm.
 *
 * A block, read as an integer with the most significant byte first, has the coefficient of x^i in
 * bit 127 - i. The product of two such integers of 128 bits, without carries, has it in bit
 * 254 - i: one too low for 256 bits. That shift is put into the key, once, as a factor x^-1.
 */
#include "ghash.h"

#include "bytes.h"
#include "multiply.h"

void ghash_init(ghash_state *state, const uint8_t h[16])
{
    uint32_t x[4], top;

    for (unsigned i = 0; i < 4; i++) {
        x[i] = load32_be(h + 12 - 4 * i);
        state->y[i] = 0;
    }
    /* H x^-1: one place to the left. 1 becomes x^-1 = x^127 + x^6 + x + 1. */
    top = 0 - (x[3] >> 31);
    for (unsigned i = 3; i > 0; i--) {
        x[i] = x[i] << 1 | x[i - 1] >> 31;
    }
    x[0] = x[0] << 1 ^ (top & 1);
    x[3] ^= top & 0xc2000000;
    sums_of_words(state->h, x);
}

#if GHASH_NATIVE_BLOCKS

void ghash_update(ghash_state *state, const uint8_t *data, size_t length)
{
    const size_t rest = length % 16;
    uint8_t last[16];

    ghash_blocks(state, data, length / 16);
    if (rest != 0) {
        zero_bytes(last, 16);
        copy_bytes(last, data + (length - rest), rest);
        ghash_blocks(state, last, 1);
    }
}

#else

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
        multiply(state->y, state->h);
        data += 16;
        length -= 16;
    }
}

#endif

void ghash_digest(const ghash_state *state, uint8_t digest[16])
{
    for (unsigned i = 0; i < 4; i++) {
        store32_be(digest + 12 - 4 * i, state->y[i]);
    }
}
