/*
 * Words of 32 bits in shares: Boolean masking. A word is the sum of MASKED_SHARES words, which are
 * random except for their sum. Algorithms define MASKED_SHARES; this header has the operations.
 * Where assembly needs it, the second of two shares is stored rotated right by MASKED_TURN bits;
 * then only the operations without products work.
 *
 * References: Y. Ishai, A. Sahai, D. Wagner, "Private Circuits: Securing Hardware against Probing
 * Attacks", CRYPTO 2003: shares, and products of shared values with one random value for each pair
 * of shares. H. Gross, S. Mangard, T. Korak, "Domain-Oriented Masking: Compact Masked Hardware
 * Implementations with Arbitrary Protection Order", TIS 2016 (ePrint 2016/486): the order in which
 * a product's parts are added.
 *
 * The operations work share by share, except for products. C does not control which values share a
 * register or bus, so no claim about leakage is made.
 */
#ifndef PENNYWEIGHT_MASKED_WORD32_H
#define PENNYWEIGHT_MASKED_WORD32_H

#include <stdint.h>

#include "api.h"
#include "keep.h"
#include "pennyweight/random.h"
#include "rotate.h"
#include "unroll.h"

#ifndef MASKED_TURN
#define MASKED_TURN 0
#endif

/* A word in shares. */
typedef struct {
    uint32_t share[MASKED_SHARES];
} masked_word;

/* A share after the first one with its bits where the first one has them. */
static inline uint32_t masked_word_aligned(uint32_t share)
{
    return MASKED_TURN == 0 ? share : rotl32(share, MASKED_TURN);
}

/* Shares of the word `x`, random except for their sum. */
static inline masked_word masked_word_split(uint32_t x)
{
    masked_word shares;

    UNROLL
    for (unsigned i = 1; i < MASKED_SHARES; i++) {
        shares.share[i] = pw_random32();
        x ^= masked_word_aligned(shares.share[i]);
    }
    shares.share[0] = x;
    return shares;
}

/* Shares of a public word: itself and zeros. */
static inline masked_word masked_word_public(uint32_t x)
{
    masked_word shares;

    shares.share[0] = x;
    UNROLL
    for (unsigned i = 1; i < MASKED_SHARES; i++) {
        shares.share[i] = 0;
    }
    return shares;
}

/* The word that these shares represent. */
static inline uint32_t masked_word_combine(const masked_word *x)
{
    uint32_t sum = x->share[0];

    UNROLL
    for (unsigned i = 1; i < MASKED_SHARES; i++) {
        sum ^= masked_word_aligned(x->share[i]);
    }
    return sum;
}

/* x += y */
static inline void masked_word_add(masked_word *x, const masked_word *y)
{
    UNROLL
    for (unsigned i = 0; i < MASKED_SHARES; i++) {
        x->share[i] ^= y->share[i];
    }
}

/* x = ~x */
static inline void masked_word_complement(masked_word *x)
{
    x->share[0] = ~x->share[0];
}

#define MASKED_PAIRS (MASKED_SHARES * (MASKED_SHARES - 1) / 2)

/* The random words of a product, one for each pair of shares. */
typedef struct {
    uint32_t word[MASKED_PAIRS];
} masked_random;

/* Draws the random words of a product. */
static inline masked_random masked_draw(void)
{
    masked_random random;

    UNROLL
    for (unsigned i = 0; i < MASKED_PAIRS; i++) {
        random.word[i] = pw_random32();
    }
    return random;
}

/* z += y * x. A fresh random word for each pair of shares is added first to any product of
 * different shares. The shares of `y` and `x` must be independent. */
static inline void masked_word_add_product(masked_word *z, const masked_word *y,
                                           const masked_word *x, masked_random random)
{
    unsigned pair = 0;

    UNROLL
    for (unsigned i = 0; i < MASKED_SHARES; i++) {
        z->share[i] ^= y->share[i] & x->share[i];
    }
    UNROLL
    for (unsigned i = 0; i < MASKED_SHARES; i++) {
        UNROLL
        for (unsigned j = i + 1; j < MASKED_SHARES; j++) {
            uint32_t one = (y->share[i] & x->share[j]) ^ random.word[pair];
            uint32_t other = (y->share[j] & x->share[i]) ^ random.word[pair];

            KEEP(one);
            KEEP(other);
            z->share[i] ^= one;
            z->share[j] ^= other;
            pair++;
        }
    }
}

#endif
