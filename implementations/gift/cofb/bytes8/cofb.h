/*
 * The feedback and the offsets of COFB on bytes.
 *
 * References: S. Banik et al., "GIFT-COFB v1.1" (2021), chapter 2; same names.
 */
#ifndef PENNYWEIGHT_COFB_H
#define PENNYWEIGHT_COFB_H

#include <stdint.h>

#include "direction.h"
#include "gift128.h"

/* L, an element of GF(2^64) = GF(2)[x] / (x^64 + x^4 + x^3 + x + 1), the upper coefficients
 * first. */
typedef struct {
    uint8_t bytes[8];
} cofb_offset;

/* Shifts 8 bytes left by one bit and returns the bit shifted out. */
static inline uint8_t cofb_shift(uint8_t *bytes)
{
    uint8_t carry = 0;

    for (uint8_t i = 8; i-- != 0;) {
        const uint8_t x = bytes[i];

        bytes[i] = (uint8_t)(x << 1 | carry);
        carry = x >> 7;
    }
    return carry;
}

/* L = the first half of Y. */
static inline void cofb_offset_set(cofb_offset *l, const gift128_state *y)
{
    for (uint8_t i = 0; i < 8; i++) {
        l->bytes[i] = y->bytes[i];
    }
}

/* L = 2 L. */
static inline void cofb_offset_double(cofb_offset *l)
{
    l->bytes[7] ^= (uint8_t)(-cofb_shift(l->bytes) & 0x1b);
}

/* L = 3 L. */
static inline void cofb_offset_triple(cofb_offset *l)
{
    const cofb_offset old = *l;

    cofb_offset_double(l);
    for (uint8_t i = 0; i < 8; i++) {
        l->bytes[i] ^= old.bytes[i];
    }
}

/* Y += L || 0. */
static inline void cofb_offset_add(gift128_state *y, const cofb_offset *l)
{
    for (uint8_t i = 0; i < 8; i++) {
        y->bytes[i] ^= l->bytes[i];
    }
}

/* The output is the sum of Y and `length` bytes of input, at most 16; Y = G(Y) + the plaintext,
 * padded. G exchanges the halves of Y and rotates the original first half by one bit. */
static inline void cofb_take(gift128_state *y, uint8_t *output, const uint8_t *input,
                             uint8_t length, uint8_t direction)
{
    const gift128_state old = *y;

    for (uint8_t i = 0; i < 16; i++) {
        y->bytes[i] = old.bytes[i ^ 8];
    }
    y->bytes[15] |= cofb_shift(y->bytes + 8);
    if (length != 16) {
        y->bytes[length] ^= 0x80;
    }
    for (uint8_t i = 0; i < length; i++) {
        uint8_t in = input[i];

        if (direction != COFB_ABSORB) {
            const uint8_t out = in ^ old.bytes[i];

            output[i] = out;
            if (direction == COFB_DECRYPT) {
                in = out;
            }
        }
        y->bytes[i] ^= in;
    }
}

#endif
