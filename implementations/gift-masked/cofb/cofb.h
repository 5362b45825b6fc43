/*
 * The feedback and the offsets of COFB on shares of words of 32 bits.
 *
 * References: S. Banik et al., "GIFT-COFB v1.1" (2021), chapter 2; same names.
 *
 * The key, Y and L are shared. Associated data, ciphertext, tag and the message itself are not: a
 * word of ciphertext is the sum of the shares of a word of Y and the message's word.
 */
#ifndef PENNYWEIGHT_COFB_H
#define PENNYWEIGHT_COFB_H

#include <stddef.h>
#include <stdint.h>

#include "direction.h"
#include "gift128.h"
#include "unroll.h"

/* L, an element of GF(2^64) = GF(2)[x] / (x^64 + x^4 + x^3 + x + 1); the upper bits of `high` are
 * its first byte. */
typedef struct {
    masked_word high, low;
} cofb_offset;

/* L = the first half of Y. */
static inline void cofb_offset_set(cofb_offset *l, const masked_state *y)
{
    l->high = y->s[0];
    l->low = y->s[1];
}

/* L = 2 L. */
static inline void cofb_offset_double(cofb_offset *l)
{
    UNROLL
    for (unsigned i = 0; i < MASKED_SHARES; i++) {
        const uint32_t high = l->high.share[i], low = l->low.share[i];

        l->high.share[i] = high << 1 | low >> 31;
        l->low.share[i] = low << 1 ^ ((uint32_t)-(high >> 31) & 0x1b);
    }
}

/* L = 3 L. */
static inline void cofb_offset_triple(cofb_offset *l)
{
    const cofb_offset old = *l;

    cofb_offset_double(l);
    masked_word_add(&l->high, &old.high);
    masked_word_add(&l->low, &old.low);
}

/* Y += L || 0. */
static inline void cofb_offset_add(masked_state *y, const cofb_offset *l)
{
    masked_word_add(&y->s[0], &l->high);
    masked_word_add(&y->s[1], &l->low);
}

/* Processes `length` bytes of input, at most 4: the output is their sum with the word `y`. Returns
 * the plaintext. */
static inline uint32_t cofb_word(const masked_word *y, uint8_t *output, const uint8_t *input,
                                 unsigned length, unsigned direction)
{
    uint8_t word[4];

    copy_bytes(word, input, length);
    zero_bytes(word + length, sizeof word - length);
    const uint32_t in = load32_be(word);
    if (direction == COFB_ABSORB) {
        return in;
    }
    store32_be(word, masked_word_combine(y) ^ in);
    copy_bytes(output, word, length);
    if (direction == COFB_ENCRYPT) {
        return in;
    }
    zero_bytes(word + length, sizeof word - length);
    return load32_be(word);
}

/* The output is the sum of Y and `length` bytes of input, at most 16; Y = G(Y) + the plaintext,
 * padded. G exchanges the halves of Y and rotates the original first half by one bit. */
static inline void cofb_take(masked_state *y, uint8_t *output, const uint8_t *input, uint8_t length,
                             uint8_t direction)
{
    uint32_t m[4] = {0, 0, 0, 0};

    for (unsigned i = 0; 4 * i < length; i++) {
        m[i] = cofb_word(&y->s[i], direction == COFB_ABSORB ? NULL : output + 4 * i, input + 4 * i,
                         length - 4 * i < 4 ? length - 4 * i : 4, direction);
    }
    if (length != 16) {
        m[length / 4] ^= UINT32_C(0x80000000) >> 8 * (length % 4);
    }
    UNROLL
    for (unsigned i = 0; i < MASKED_SHARES; i++) {
        const uint32_t s0 = y->s[0].share[i], s1 = y->s[1].share[i];

        y->s[0].share[i] = y->s[2].share[i];
        y->s[1].share[i] = y->s[3].share[i];
        y->s[2].share[i] = s0 << 1 | s1 >> 31;
        y->s[3].share[i] = s1 << 1 | s0 >> 31;
    }
    for (unsigned i = 0; i < 4; i++) {
        y->s[i].share[0] ^= m[i];
    }
}

#endif
