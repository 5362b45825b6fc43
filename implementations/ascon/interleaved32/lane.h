/*
 * A word of Ascon's state with its bits interleaved.
 *
 * References: NIST SP 800-232 (2025), section 3 and appendix A; Ascon v1.2 (2021), section 2.
 * G. Bertoni, J. Daemen, M. Peeters, G. Van Assche, R. Van Keer, "Keccak implementation overview"
 * (2012), section 2.1: bit interleaving.
 */
#ifndef PENNYWEIGHT_ASCON_LANE_H
#define PENNYWEIGHT_ASCON_LANE_H

#include <stdint.h>

#include "bytes.h"
#include "variant.h"

/* A word: bits 0, 2, 4, ... and bits 1, 3, 5, ... */
typedef struct {
    uint32_t even, odd;
} ascon_lane;

/* Exchanges the bits of `a` under `mask << n` with those of `b` under `mask`. */
#define ASCON_EXCHANGE(a, b, mask, n)                                                              \
    do {                                                                                           \
        const uint32_t t = ((a) >> (n) ^ (b)) & UINT32_C(mask);                                    \
        (b) ^= t;                                                                                  \
        (a) ^= t << (n);                                                                           \
    } while (0)

/* The word whose lower and upper halves are `low` and `high`. In a bit's number b5 b4 b3 b2 b1 b0,
 * b5 selects the half and b4 ... b0 the position in it; each exchange swaps the digit of the half
 * with one of the position, until b0 selects the half and b5 ... b1 the position. */
static inline ascon_lane ascon_lane_of_halves(uint32_t low, uint32_t high)
{
    ASCON_EXCHANGE(low, high, 0x0000ffff, 16);
    ASCON_EXCHANGE(low, high, 0x00ff00ff, 8);
    ASCON_EXCHANGE(low, high, 0x0f0f0f0f, 4);
    ASCON_EXCHANGE(low, high, 0x33333333, 2);
    ASCON_EXCHANGE(low, high, 0x55555555, 1);
    return (ascon_lane){low, high};
}

/* The word of value `x`, a constant. */
static inline ascon_lane ascon_lane_of(uint64_t x)
{
    return ascon_lane_of_halves((uint32_t)x, (uint32_t)(x >> 32));
}

/* a + b. */
static inline ascon_lane ascon_lane_xor(ascon_lane a, ascon_lane b)
{
    return (ascon_lane){a.even ^ b.even, a.odd ^ b.odd};
}

/* The lower half of `a` as the upper half, and the upper half of `b` as the lower half.
 */
static inline ascon_lane ascon_lane_middle(ascon_lane a, ascon_lane b)
{
    return (ascon_lane){a.even << 16 | b.even >> 16, a.odd << 16 | b.odd >> 16};
}

/* Reads a word from the 8 bytes at `p`. */
static inline ascon_lane ascon_lane_load(const uint8_t *p)
{
#if ASCON_BIG_ENDIAN
    return ascon_lane_of_halves(load32_be(p + 4), load32_be(p));
#else
    return ascon_lane_of_halves(load32_le(p), load32_le(p + 4));
#endif
}

/* Writes `x` as 8 bytes. */
static inline void ascon_lane_store(uint8_t *p, ascon_lane x)
{
    uint32_t low = x.even, high = x.odd;

    ASCON_EXCHANGE(low, high, 0x55555555, 1);
    ASCON_EXCHANGE(low, high, 0x33333333, 2);
    ASCON_EXCHANGE(low, high, 0x0f0f0f0f, 4);
    ASCON_EXCHANGE(low, high, 0x00ff00ff, 8);
    ASCON_EXCHANGE(low, high, 0x0000ffff, 16);
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

/* Adds the bit that separates associated data from the message to the state's last word, `x`. */
static inline void ascon_lane_separate(ascon_lane *x)
{
#if ASCON_BIG_ENDIAN
    x->even ^= 1;
#else
    x->odd ^= UINT32_C(0x80000000);
#endif
}

#endif
