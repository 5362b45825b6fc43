/*
 * The state of Keccak-f[1600] as 64-bit lanes.
 *
 * References: FIPS 202 (2015), section 3.1.
 */
#ifndef PENNYWEIGHT_KECCAK_STATE1600_H
#define PENNYWEIGHT_KECCAK_STATE1600_H

#include <stdint.h>

#include "bytes.h"

typedef struct {
    uint64_t a[KECCAK1600_LANES];
} keccak1600_state;

static inline void keccak1600_add_lane(keccak1600_state *state, uint8_t i, const uint8_t *p)
{
    state->a[i] ^= load64_le(p);
}

static inline void keccak1600_add_byte(keccak1600_state *state, uint8_t i, uint8_t x)
{
    state->a[i / 8] ^= (uint64_t)x << 8 * (i % 8);
}

static inline void keccak1600_lane(const keccak1600_state *state, uint8_t i, uint8_t *p)
{
    store64_le(p, state->a[i]);
}

#endif
