/*
 * The feedback and the offsets of COFB on words of 32 bits.
 *
 * References: S. Banik et al., "GIFT-COFB v1.1" (2021), chapter 2; names as there.
 */
#ifndef PENNYWEIGHT_COFB_H
#define PENNYWEIGHT_COFB_H

#include <stdint.h>

#include "direction.h"
#include "gift128.h"
#include "inline.h"

/* L, an element of GF(2^64) = GF(2)[x] / (x^64 + x^4 + x^3 + x + 1); the upper bits of `high` are
 * its first byte. */
typedef struct {
    uint32_t high, low;
} cofb_offset;

/* L = the first half of Y. */
static inline void cofb_offset_set(cofb_offset *l, const gift128_state *y)
{
    l->high = y->s[0];
    l->low = y->s[1];
}

/* L = 2 L. */
static inline void cofb_offset_double(cofb_offset *l)
{
    const uint32_t carry = (uint32_t)-(l->high >> 31) & 0x1b;

    l->high = l->high << 1 | l->low >> 31;
    l->low = l->low << 1 ^ carry;
}

/* L = 3 L. */
static inline void cofb_offset_triple(cofb_offset *l)
{
    const cofb_offset old = *l;

    cofb_offset_double(l);
    l->high ^= old.high;
    l->low ^= old.low;
}

/* Y += L || 0. */
static inline void cofb_offset_add(gift128_state *y, const cofb_offset *l)
{
    y->s[0] ^= l->high;
    y->s[1] ^= l->low;
}

/* A block of less than 16 bytes: the output is the sum of Y and input, `block` the plaintext,
 * padded. */
static inline void cofb_pad(uint8_t block[16], const gift128_state *y, uint8_t *output,
                            const uint8_t *input, uint8_t length, uint8_t direction)
{
    gift128_store(block, y);
    for (uint8_t i = 0; i < length; i++) {
        uint8_t in = input[i];

        if (direction != COFB_ABSORB) {
            const uint8_t out = in ^ block[i];

            output[i] = out;
            if (direction == COFB_DECRYPT) {
                in = out;
            }
        }
        block[i] = in;
    }
    block[length] = 0x80;
    for (uint8_t i = (uint8_t)(length + 1); i < 16; i++) {
        block[i] = 0;
    }
}

/* Takes a word of the message: the output is its sum with the word `s` of Y. Returns the plaintext;
 * `mask` is zero if that is the input, and all ones if it is the output. */
ALWAYS_INLINE uint32_t cofb_take_word(uint32_t s, uint8_t *output, const uint8_t *input,
                                      uint32_t mask)
{
    const uint32_t in = load32_be(input);

    store32_be(output, in ^ s);
    return in ^ (s & mask);
}

/* The output is the sum of Y and `length` bytes of input, at most 16; Y = G(Y) + the plaintext,
 * padded. G exchanges the halves of Y, and rotates what was the first by a bit. */
static inline void cofb_take(gift128_state *y, uint8_t *output, const uint8_t *input,
                             uint8_t length, uint8_t direction)
{
    const uint32_t s0 = y->s[0], s1 = y->s[1];
    uint8_t block[16];
    uint32_t m0, m1, m2, m3;

    if (length != 16) {
        cofb_pad(block, y, output, input, length, direction);
        input = block;
        direction = COFB_ABSORB;
    }
    if (direction == COFB_ABSORB) {
        m0 = load32_be(input);
        m1 = load32_be(input + 4);
        m2 = load32_be(input + 8);
        m3 = load32_be(input + 12);
    } else {
        const uint32_t mask = direction == COFB_DECRYPT ? UINT32_C(0xffffffff) : 0;

        m0 = cofb_take_word(s0, output, input, mask);
        m1 = cofb_take_word(s1, output + 4, input + 4, mask);
        m2 = cofb_take_word(y->s[2], output + 8, input + 8, mask);
        m3 = cofb_take_word(y->s[3], output + 12, input + 12, mask);
    }
    y->s[0] = y->s[2] ^ m0;
    y->s[1] = y->s[3] ^ m1;
    y->s[2] = (s0 << 1 | s1 >> 31) ^ m2;
    y->s[3] = (s1 << 1 | s0 >> 31) ^ m3;
}

#endif
