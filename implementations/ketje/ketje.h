/*
 * The permutations Keccak-p*[200, n] and Keccak-p*[400, n] and the state of MonkeyDuplex.
 *
 * References: "CAESAR submission: Ketje v2" (2016), sections 2 and 4 (see aead_state.h); FIPS
 * 202 (2015), section 3.3.
 *
 *   ketje_permute  the last `rounds` rounds of Keccak-f, in place
 *   ketje_byte     byte `i` of the state, among the first bytes, which absorb data
 *   ketje_add      adds a byte to one of these
 *
 * Keccak-p* is Keccak-p between pi's inverse and pi: here the state is that of Keccak-p, and lanes
 * are located through pi. "variant.h" defines KETJE_LANE_BYTES and KETJE_BLOCK, "lane_ketje.h" the
 * representation's type ketje_lane and KETJE_LANE(x), the lane of value x.
 */
#ifndef PENNYWEIGHT_KETJE_H
#define PENNYWEIGHT_KETJE_H

#include <stdint.h>

#include "lane_ketje.h"
#include "variant.h"

enum { KETJE_LANES = 25, KETJE_BYTES = KETJE_LANES * KETJE_LANE_BYTES };

void ketje_permute(ketje_state *state, uint8_t rounds);

/* Lane `i` of Keccak-p*'s state, for i < 5: the source of pi's lane (i, 0). */
static inline ketje_lane *ketje_outer_lane(ketje_state *state, uint8_t i)
{
    return &ketje_lanes(state)[6 * i];
}

/* Byte `i` of the outer lanes, the state's first bytes. */
static inline uint8_t ketje_byte(ketje_state *state, uint8_t i)
{
    const ketje_lane lane = *ketje_outer_lane(state, i / KETJE_LANE_BYTES);

    return (uint8_t)(lane >> 8 * (i % KETJE_LANE_BYTES));
}

/* The lane with `x` at the position of byte `i` of the state, and zeros. */
static inline ketje_lane ketje_lane_with(uint8_t i, uint8_t x)
{
    const uint16_t value = (uint16_t)((uint16_t)x << 8 * (i % KETJE_LANE_BYTES));

    return KETJE_LANE(value);
}

/* Adds `x` to that byte. */
static inline void ketje_add(ketje_state *state, uint8_t i, uint8_t x)
{
    *ketje_outer_lane(state, i / KETJE_LANE_BYTES) ^= ketje_lane_with(i, x);
}

#endif
