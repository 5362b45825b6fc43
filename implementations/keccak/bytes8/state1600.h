/*
 * The state of Keccak-f[1600] as 200 bytes.
 *
 * References: FIPS 202 (2015), section 3.1.2.
 */
#ifndef PENNYWEIGHT_KECCAK_STATE1600_H
#define PENNYWEIGHT_KECCAK_STATE1600_H

#include <stdint.h>

typedef struct {
    uint8_t a[8 * KECCAK1600_LANES];
} keccak1600_state;

static inline void keccak1600_add_lane(keccak1600_state *state, uint8_t i, const uint8_t *p)
{
    uint8_t *a = state->a + 8 * i;

    for (uint8_t j = 0; j < 8; j++) {
        a[j] ^= p[j];
    }
}

static inline void keccak1600_add_byte(keccak1600_state *state, uint8_t i, uint8_t x)
{
    state->a[i] ^= x;
}

static inline void keccak1600_lane(const keccak1600_state *state, uint8_t i, uint8_t *p)
{
    const uint8_t *a = state->a + 8 * i;

    for (uint8_t j = 0; j < 8; j++) {
        p[j] = a[j];
    }
}

#endif
