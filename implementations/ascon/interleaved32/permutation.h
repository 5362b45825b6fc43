/*
 * Ascon's state with the bits of a word interleaved.
 *
 * References: see lane.h.
 */
#ifndef PENNYWEIGHT_ASCON_PERMUTATION_H
#define PENNYWEIGHT_ASCON_PERMUTATION_H

#include <limits.h>
#include <stdint.h>

#include "constants.h"
#include "lane.h"

#define ASCON_INTERLEAVED 1

typedef struct {
    ascon_lane x[5];
} ascon_state;

/* Applies the rounds from the one with `constant` to the last. */
void ascon_permute(ascon_state *s, unsigned constant);

/* Where a word takes several registers, unrolling four rounds once more would be too large.
 */
#if defined(ASCON_BIT_BY_BIT) && UINT_MAX > 0xffff
/* Adds the bits of 16 bytes to the first bit of the first byte of the state, with the last round of
 * the permutation between them. */
void ascon_absorb_bits(ascon_state *s, const uint8_t *bits);
#define ASCON_ABSORBS_BITS 1
#endif

/* Adds the upper bit of `bits` to the first bit of the first byte of the state. */
static inline void ascon_add_bit(ascon_state *s, uint8_t bits)
{
#if ASCON_BIG_ENDIAN
    s->x[0].odd ^= (uint32_t)(bits & 0x80) << 24;
#else
    s->x[0].odd ^= (uint32_t)(bits & 0x80) >> 4;
#endif
}

/* Adds the bit that separates associated data from the message, the last of the state. */
static inline void ascon_separate(ascon_state *s)
{
    ascon_lane_separate(&s->x[4]);
}

#include "sponge_lanes.h"

#endif
