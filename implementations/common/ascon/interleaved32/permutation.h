/*
 * Ascon's state with the bits of a word interleaved.
 *
 * References: NIST SP 800-232 (2025), section 3 and appendix A; Ascon v1.2 (2021), section 2.
 * G. Bertoni, J. Daemen, M. Peeters, G. Van Assche, R. Van Keer, "Keccak implementation overview"
 * (2012), section 2.1: bit interleaving.
 */
#ifndef PENNYWEIGHT_ASCON_PERMUTATION_H
#define PENNYWEIGHT_ASCON_PERMUTATION_H

#include <stdint.h>

#include "bytes.h"
#include "constants.h"
#include "variant.h"

/* A word: bits 0, 2, 4, ... and bits 1, 3, 5, ... */
typedef struct {
    uint32_t even, odd;
} ascon_lane;

typedef struct {
    ascon_lane x[5];
} ascon_state;

/* Applies the rounds from the one with constant `constant` to the last. */
void ascon_permute(ascon_state *s, unsigned constant);

/* The even bits of `x` in the lower half, the odd ones in the upper. */
static inline uint32_t ascon_separate_bits(uint32_t x)
{
    uint32_t t;

    t = (x ^ x >> 1) & UINT32_C(0x22222222);
    x ^= t ^ t << 1;
    t = (x ^ x >> 2) & UINT32_C(0x0c0c0c0c);
    x ^= t ^ t << 2;
    t = (x ^ x >> 4) & UINT32_C(0x00f000f0);
    x ^= t ^ t << 4;
    t = (x ^ x >> 8) & UINT32_C(0x0000ff00);
    x ^= t ^ t << 8;
    return x;
}

/* The inverse of ascon_separate_bits. */
static inline uint32_t ascon_mix_bits(uint32_t x)
{
    uint32_t t;

    t = (x ^ x >> 8) & UINT32_C(0x0000ff00);
    x ^= t ^ t << 8;
    t = (x ^ x >> 4) & UINT32_C(0x00f000f0);
    x ^= t ^ t << 4;
    t = (x ^ x >> 2) & UINT32_C(0x0c0c0c0c);
    x ^= t ^ t << 2;
    t = (x ^ x >> 1) & UINT32_C(0x22222222);
    x ^= t ^ t << 1;
    return x;
}

/* The word whose lower and upper halves are `low` and `high`. */
static inline ascon_lane ascon_lane_of_halves(uint32_t low, uint32_t high)
{
    const uint32_t l = ascon_separate_bits(low), h = ascon_separate_bits(high);

    return (ascon_lane){(l & 0xffff) | h << 16, l >> 16 | (h & UINT32_C(0xffff0000))};
}

/* The word of value `x`, a constant. */
static inline ascon_lane ascon_lane_of(uint64_t x)
{
    return ascon_lane_of_halves((uint32_t)x, (uint32_t)(x >> 32));
}

static inline ascon_lane ascon_lane_xor(ascon_lane a, ascon_lane b)
{
    return (ascon_lane){a.even ^ b.even, a.odd ^ b.odd};
}

/* The word that the 8 bytes at `p` stand for. */
static inline ascon_lane ascon_lane_load(const uint8_t *p)
{
#if ASCON_BIG_ENDIAN
    return ascon_lane_of_halves(load32_be(p + 4), load32_be(p));
#else
    return ascon_lane_of_halves(load32_le(p), load32_le(p + 4));
#endif
}

/* Writes the 8 bytes that stand for `x`. */
static inline void ascon_lane_store(uint8_t *p, ascon_lane x)
{
    const uint32_t low = ascon_mix_bits((x.even & 0xffff) | x.odd << 16);
    const uint32_t high = ascon_mix_bits(x.even >> 16 | (x.odd & UINT32_C(0xffff0000)));

#if ASCON_BIG_ENDIAN
    store32_be(p, high);
    store32_be(p + 4, low);
#else
    store32_le(p, low);
    store32_le(p + 4, high);
#endif
}

/* Adds the padding's first byte as byte `i` of the word. */
static inline void ascon_lane_pad(ascon_lane *x, unsigned i)
{
#if ASCON_BIG_ENDIAN
    x->odd ^= UINT32_C(0x80000000) >> 4 * i;
#else
    x->even ^= UINT32_C(1) << 4 * i;
#endif
}

/* Adds the bit that separates associated data from the message, the last of the state. */
static inline void ascon_separate(ascon_state *s)
{
#if ASCON_BIG_ENDIAN
    s->x[4].even ^= 1;
#else
    s->x[4].odd ^= UINT32_C(0x80000000);
#endif
}

#include "sponge_lanes.h"

#endif
