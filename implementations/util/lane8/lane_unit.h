/*
 * Units of a state by bytes: here, a byte of one state.
 *
 * References: none beyond C11.
 */
#ifndef PENNYWEIGHT_UTIL_LANE_UNIT_H
#define PENNYWEIGHT_UTIL_LANE_UNIT_H

#include <stdint.h>

#include "keep.h"

typedef uint8_t lane_unit;

/* The byte `c` in each lane. */
#define LANES_OF(c) ((uint8_t)(c))

/* Exchanges the bits of `a` under `mask << n` with those of `b` under `mask`, for n = 1, 2, 4. On
 * AVR, shifts by four are SWAP, and others single-bit shifts; by default the compiler would use the
 * multiplier. */
#define LANES_EXCHANGE(a, b, mask, n)                                                              \
    do {                                                                                           \
        uint8_t t_ = (uint8_t)((n) == 4 ? (a) << 4 | (a) >> 4 : (a) >> (n));                       \
                                                                                                   \
        t_ = (uint8_t)((t_ ^ (b)) & (mask));                                                       \
        (b) = (uint8_t)((b) ^ t_);                                                                 \
        if ((n) == 4) {                                                                            \
            KEEP(t_);                                                                              \
            t_ = (uint8_t)(t_ << 4 | t_ >> 4);                                                     \
        } else {                                                                                   \
            t_ = (uint8_t)(t_ + t_);                                                               \
            if ((n) == 2) {                                                                        \
                KEEP(t_);                                                                          \
                t_ = (uint8_t)(t_ + t_);                                                           \
            }                                                                                      \
        }                                                                                          \
        (a) = (uint8_t)((a) ^ t_);                                                                 \
    } while (0)

/* The upper nibble of `x`, and the nibble `low` with the lower one of `x` above it. */
#define LANES_UPPER(x) ((uint8_t)((x) >> 4))
#define LANES_JOIN(low, x) ((uint8_t)((low) | (x) << 4))

#endif
