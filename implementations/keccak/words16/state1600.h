/*
 * The state of Keccak-f[1600] as 100 words of 16 bits, the least significant of a lane first.
 *
 * References: FIPS 202 (2015), section 3.1.2.
 */
#ifndef PENNYWEIGHT_KECCAK_STATE1600_H
#define PENNYWEIGHT_KECCAK_STATE1600_H

#include <stdint.h>

typedef struct {
    uint16_t a[4 * KECCAK1600_LANES];
} keccak1600_state;

static inline void keccak1600_add_lane(keccak1600_state *state, uint8_t i, const uint8_t *p)
{
    uint16_t *a = state->a + 4 * i;

    for (uint8_t j = 0; j < 4; j++, p += 2) {
        a[j] = (uint16_t)(a[j] ^ (p[0] | (unsigned)p[1] << 8));
    }
}

static inline void keccak1600_add_byte(keccak1600_state *state, uint8_t i, uint8_t x)
{
    uint16_t *a = state->a + i / 2;

    *a = (uint16_t)(*a ^ (i % 2 == 0 ? x : (unsigned)x << 8));
}

static inline void keccak1600_lane(const keccak1600_state *state, uint8_t i, uint8_t *p)
{
    const uint16_t *a = state->a + 4 * i;

    for (uint8_t j = 0; j < 4; j++) {
        *p++ = (uint8_t)a[j];
        *p++ = (uint8_t)(a[j] >> 8);
    }
}

#endif
