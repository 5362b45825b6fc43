/*
 * Shared by both directions of SKINNY-128 in eight slices of 16 bits: the steps around the rounds.
 *
 * References: "The SKINNY Family" (2016), section 2 (see skinny128.h); same names.
 */
#ifndef PENNYWEIGHT_SKINNY_APPLY_H
#define PENNYWEIGHT_SKINNY_APPLY_H

#include <stdint.h>

#include "inline.h"
#include "skinny128.h"

/* Slice b of a round tweakey: `sum`, and in even rounds `even`, from the first half of TK1. */
#define EVEN(b) (sum[b] ^ even[b])
#define ODD(b) sum[8 + (b)]

/* Converts a block to slices, applies `rounds` with `sum`, and converts back; `lower` is the first
 * half of TK1. */
ALWAYS_INLINE void apply(void (*rounds)(uint8_t *, const uint8_t *, const uint8_t *),
                         const uint8_t *sum, const uint8_t *lower, uint8_t *block)
{
    skinny128_half tk1[SKINNY128_PERIOD];

    skinny128_expand_tk1(tk1, lower);
    skinny128_transpose(block, block);
    skinny128_transpose(block + 8, block + 8);
    rounds(block, sum, (const uint8_t *)tk1);
    skinny128_transpose(block, block);
    skinny128_transpose(block + 8, block + 8);
}

#endif
