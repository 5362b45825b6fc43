/*
 * The permutations Keccak-p[400, n].
 *
 * References: FIPS 202 (2015), section 3.3.
 *
 *   keccak400_permute      the last `rounds` rounds of Keccak-f[400], in place; lane (x, y) is
 *                          number x + 5 y
 *   keccak400_absorb_bits  adds the bits of 16 bytes, from the upper one of a byte down, to bit 7
 * of the first lane, with the last round after each but the last bit; for ISAP-K-128A, which
 * defines KECCAK_BIT_BY_BIT
 *
 * "lane400.h" is the representation's. It defines the type keccak400_lane and KECCAK400_LANE(x),
 * the lane of value x, 16 bits.
 */
#ifndef PENNYWEIGHT_KECCAK400_H
#define PENNYWEIGHT_KECCAK400_H

#include <stdint.h>

#include "lane400.h"

enum { KECCAK400_BYTES = 50, KECCAK400_LANES = 25, KECCAK400_ROUNDS = 20 };

typedef struct {
    keccak400_lane a[KECCAK400_LANES];
} keccak400_state;

void keccak400_permute(keccak400_state *state, uint8_t rounds);
void keccak400_absorb_bits(keccak400_state *state, const uint8_t *bits);

/* Byte `i` of the state. */
static inline uint8_t keccak400_byte(const keccak400_state *state, uint8_t i)
{
    return (uint8_t)(state->a[i / 2] >> (i % 2 == 0 ? 0 : 8));
}

/* Adds `x` to byte `i` of the state. */
static inline void keccak400_add_byte(keccak400_state *state, uint8_t i, uint8_t x)
{
    state->a[i / 2] ^= KECCAK400_LANE((uint16_t)(i % 2 == 0 ? x : (uint16_t)x << 8));
}

/* The lane of the two bytes at `p`. */
static inline keccak400_lane keccak400_load(const uint8_t *p)
{
    return KECCAK400_LANE((uint16_t)((uint16_t)p[1] << 8 | p[0]));
}

#endif
