/*
 * The state of Keccak-f[1600] as 64-bit lanes, or in bytes or words of 16 bits where
 * an int has 16 bits, or where KECCAK1600_SHORT is defined.
 *
 * References: FIPS 202 (2015), section 3.1.
 */
#ifndef PENNYWEIGHT_KECCAK_SMALL_STATE1600_H
#define PENNYWEIGHT_KECCAK_SMALL_STATE1600_H

#include <limits.h>
#include <stdint.h>

#include "api.h"

#ifndef KECCAK1600_WORD
#if UINT_MAX == 0xffff && !defined(__AVR__)
#define KECCAK1600_WORD 16
#elif UINT_MAX == 0xffff || defined(KECCAK1600_SHORT)
#define KECCAK1600_WORD 8
#else
#define KECCAK1600_WORD 64
#endif
#endif

#if KECCAK1600_WORD == 8

#include "bytes8/state1600.h"

#elif KECCAK1600_WORD == 16

#include "words16/state1600.h"

#else

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
#endif
