/*
 * GHASH in constant time for 8-bit cores, by masks.
 *
 * References: NIST SP 800-38D (2007), sections 6.3 (multiplication of blocks), 6.4 (GHASH).
 *
 * A block represents a polynomial modulo x^128 + x^7 + x^2 + x + 1 whose coefficient of x^i is the
 * bit 7 - i % 8 of byte i / 8: multiplying by x is shifting towards higher addresses. With X_i the
 * bytes of X, X H = sum x^(8i) X_i H is evaluated by Horner's rule from i = 15 down; X_i H is the
 * sum of those of H, H x, ..., H x^7 that the bits of X_i select with masks.
 */
#include "ghash.h"

#include "inline.h"

/* All ones if the most significant bit of x is set, else 0. */
static inline uint8_t mask(uint8_t x)
{
    return (uint8_t)(0 - (x >> 7));
}

/* Y = Y H. */
NEVER_INLINE void multiply_h(ghash_state *state)
{
    uint8_t input[16];

    for (uint8_t j = 0; j < 16; j++) {
        input[j] = state->byte[j].y;
        state->byte[j].y = 0;
    }
    for (uint8_t i = 16; i-- > 0;) {
        uint8_t x = input[i];
        const uint8_t m0 = mask(x), m1 = mask(x = (uint8_t)(x << 1));
        const uint8_t m2 = mask(x = (uint8_t)(x << 1)), m3 = mask(x = (uint8_t)(x << 1));
        const uint8_t m4 = mask(x = (uint8_t)(x << 1)), m5 = mask(x = (uint8_t)(x << 1));
        const uint8_t m6 = mask(x = (uint8_t)(x << 1)), m7 = mask((uint8_t)(x << 1));
        /* The coefficients of x^128 .. x^135 of Y return by x^128 = x^7 + x^2 + x + 1. */
        const uint16_t top = (uint16_t)((unsigned)state->byte[15].y << 8);
        const uint16_t back = (uint16_t)(top ^ top >> 1 ^ top >> 2 ^ top >> 7);
        uint8_t moved = (uint8_t)(back >> 8);

        for (uint8_t j = 0; j < 16; j++) {
            const uint8_t *h = state->byte[j].h;
            const uint8_t y = state->byte[j].y;

            state->byte[j].y =
                (uint8_t)(moved ^ (h[0] & m0) ^ (h[1] & m1) ^ (h[2] & m2) ^ (h[3] & m3) ^
                          (h[4] & m4) ^ (h[5] & m5) ^ (h[6] & m6) ^ (h[7] & m7));
            moved = y;
        }
        state->byte[1].y ^= (uint8_t)back;
    }
}

void ghash_init(ghash_state *state, const uint8_t h[16])
{
    for (uint8_t j = 0; j < 16; j++) {
        state->byte[j].h[0] = h[j];
        state->byte[j].y = 0;
    }
    for (uint8_t k = 1; k < 8; k++) { /* H x^k from H x^(k-1) */
        uint8_t carry = 0;

        for (uint8_t j = 0; j < 16; j++) {
            const uint8_t x = state->byte[j].h[k - 1];
            state->byte[j].h[k] = (uint8_t)(x >> 1 | carry);
            carry = (uint8_t)(x << 7);
        }
        state->byte[0].h[k] = (uint8_t)(state->byte[0].h[k] ^ (mask(carry) & 0xe1));
    }
}

void ghash_update(ghash_state *state, const uint8_t *data, size_t length)
{
    while (length != 0) {
        const uint8_t n = length < 16 ? (uint8_t)length : 16;

        for (uint8_t j = 0; j < n; j++) {
            state->byte[j].y ^= *data++;
        }
        multiply_h(state);
        length -= n;
    }
}

void ghash_digest(const ghash_state *state, uint8_t digest[16])
{
    for (uint8_t j = 0; j < 16; j++) {
        digest[j] = state->byte[j].y;
    }
}
