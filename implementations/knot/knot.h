/*
 * KNOT's permutations of 256, 384 and 512 bits.
 *
 * References: W. Zhang, T. Ding, C. Zhou, F. Ji, "Security Analysis of KNOT-AEAD and KNOT-Hash" and
 * "KNOT: Algorithm Specifications and Supporting Document" (2019), section 2; same names.
 *
 *   knot_state    four rows of KNOT_WORDS words, row by row; words are in memory with the least
 *                 significant byte first
 *   knot_permute  the first `rounds` rounds, an even number above 0, in place
 *
 * "variant.h" defines KNOT_WORDS, KNOT_LFSR_BITS, KNOT_RATE (bytes of a block), KNOT_TOP_BIT
 * (whether the last bit of the first state is set) and the numbers of rounds.
 */
#ifndef PENNYWEIGHT_KNOT_H
#define PENNYWEIGHT_KNOT_H

#include <stdint.h>

#include "variant.h"

enum { KNOT_BYTES = 16 * KNOT_WORDS };

typedef union {
    uint8_t bytes[KNOT_BYTES];
    uint16_t halves[4][2 * KNOT_WORDS];
    uint32_t rows[4][KNOT_WORDS];
} knot_state;

void knot_permute(knot_state *state, uint8_t rounds);

/* The next round constant, of an LFSR of 6, 7 or 8 bits. */
static inline uint8_t knot_next_constant(uint8_t c)
{
#if KNOT_LFSR_BITS == 8
    return (uint8_t)(c << 1 | ((c >> 7 ^ c >> 5 ^ c >> 4 ^ c >> 3) & 1));
#else
    const uint8_t bit = (c >> (KNOT_LFSR_BITS - 1) ^ c >> (KNOT_LFSR_BITS - 2)) & 1;

    return (uint8_t)((c << 1 & ((1 << KNOT_LFSR_BITS) - 1)) | bit);
#endif
}

#endif
