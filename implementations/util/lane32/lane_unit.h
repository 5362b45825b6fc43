/*
 * Units of a state by bytes: here, one byte each of four states computed in parallel.
 *
 * References: none beyond C11.
 */
#ifndef PENNYWEIGHT_UTIL_LANE_UNIT_H
#define PENNYWEIGHT_UTIL_LANE_UNIT_H

#include <stdint.h>

typedef uint32_t lane_unit;

/* The byte `c` in each lane. */
#define LANES_OF(c) ((c) * UINT32_C(0x01010101))

/* Exchanges the bits of `a` under `mask << n` with those of `b` under `mask`, in each lane. */
#define LANES_EXCHANGE(a, b, mask, n)                                                              \
    do {                                                                                           \
        const uint32_t t_ = ((a) >> (n) ^ (b)) & LANES_OF(mask);                                   \
                                                                                                   \
        (b) ^= t_;                                                                                 \
        (a) ^= t_ << (n);                                                                          \
    } while (0)

/* The upper nibble of `x`, and the nibble `low` with the lower one of `x` above it, in each lane.
 */
#define LANES_UPPER(x) ((x) >> 4 & LANES_OF(0x0f))
#define LANES_JOIN(low, x) ((low) | ((x) & LANES_OF(0x0f)) << 4)

#endif
