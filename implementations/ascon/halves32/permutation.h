/*
 * Ascon's state as pairs of 32-bit halves.
 *
 * References: NIST SP 800-232 (2025), sections 3 and appendix A; Ascon v1.2 (2021), section 2.
 */
#ifndef PENNYWEIGHT_ASCON_PERMUTATION_H
#define PENNYWEIGHT_ASCON_PERMUTATION_H

#include <stdint.h>

#include "bytes.h"
#include "constants.h"
#include "variant.h"

#define ASCON_HALVES 1

/* A word: bits 0 to 31, and 32 to 63. */
typedef struct {
    uint32_t low, high;
} ascon_lane;

typedef struct {
    ascon_lane x[5];
} ascon_state;

/* Applies the rounds from the one with `constant` to the last. */
void ascon_permute(ascon_state *s, unsigned constant);

#ifdef ASCON_BIT_BY_BIT
/* Adds the bits of 16 bytes to the first bit of the first byte of the state, with the last round of
 * the permutation between them. */
void ascon_absorb_bits(ascon_state *s, const uint8_t *bits);
#define ASCON_ABSORBS_BITS 1
#endif

/* The word of value `x`, a constant. */
static inline ascon_lane ascon_lane_of(uint64_t x)
{
    return (ascon_lane){(uint32_t)x, (uint32_t)(x >> 32)};
}

/* a + b. */
static inline ascon_lane ascon_lane_xor(ascon_lane a, ascon_lane b)
{
    return (ascon_lane){a.low ^ b.low, a.high ^ b.high};
}

/* The lower half of `a` as the upper half, and the upper half of `b` as the lower half.
 */
static inline ascon_lane ascon_lane_middle(ascon_lane a, ascon_lane b)
{
    return (ascon_lane){b.high, a.low};
}

/* Reads a word from the 8 bytes at `p`. */
static inline ascon_lane ascon_lane_load(const uint8_t *p)
{
#if ASCON_BIG_ENDIAN
    return (ascon_lane){load32_be(p + 4), load32_be(p)};
#else
    return (ascon_lane){load32_le(p), load32_le(p + 4)};
#endif
}

/* Writes `x` as 8 bytes. */
static inline void ascon_lane_store(uint8_t *p, ascon_lane x)
{
#if ASCON_BIG_ENDIAN
    store32_be(p, x.high);
    store32_be(p + 4, x.low);
#else
    store32_le(p, x.low);
    store32_le(p + 4, x.high);
#endif
}

/* Adds the padding's first byte as byte `i` of the word. */
static inline void ascon_lane_pad(ascon_lane *x, unsigned i)
{
#if ASCON_BIG_ENDIAN
    if (i < 4) {
        x->high ^= UINT32_C(0x80000000) >> 8 * i;
    } else {
        x->low ^= UINT32_C(0x80000000) >> (8 * i - 32);
    }
#else
    if (i < 4) {
        x->low ^= UINT32_C(1) << 8 * i;
    } else {
        x->high ^= UINT32_C(1) << (8 * i - 32);
    }
#endif
}

/* Adds the upper bit of `bits` to the first bit of the first byte of the state. */
static inline void ascon_add_bit(ascon_state *s, uint8_t bits)
{
#if ASCON_BIG_ENDIAN
    s->x[0].high ^= (uint32_t)(bits & 0x80) << 24;
#else
    s->x[0].low ^= bits & 0x80;
#endif
}

/* Adds the bit that separates associated data from the message, the last of the state. */
static inline void ascon_separate(ascon_state *s)
{
#if ASCON_BIG_ENDIAN
    s->x[4].low ^= 1;
#else
    s->x[4].high ^= UINT32_C(0x80000000);
#endif
}

#include "sponge_lanes.h"

#endif
