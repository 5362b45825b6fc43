/*
 * Exchanges of bits between two bytes, the steps of transpositions.
 *
 * References: H. S. Warren, "Hacker's Delight" (2nd edition, 2012), sections 7-1 to 7-3.
 */
#ifndef PENNYWEIGHT_UTIL_EXCHANGE8_H
#define PENNYWEIGHT_UTIL_EXCHANGE8_H

#include <stdint.h>

#include "keep.h"

/* A byte with its halves swapped. */
#define HALVES_EXCHANGED(x) (uint8_t)((x) << 4 | (x) >> 4)

/* Exchanges the bits of `b` in `mask` with those of `a` that are `shift` positions higher. */
#define EXCHANGE(a, b, shift, mask)                                                                \
    do {                                                                                           \
        const uint8_t t = (uint8_t)(((a) >> (shift) ^ (b)) & (mask));                              \
        (b) ^= t;                                                                                  \
        (a) ^= (uint8_t)(t << (shift));                                                            \
    } while (0)

/* The same with the lower half of `b` and the upper half of `a`, which takes an AVR no shifts. */
#define EXCHANGE_HALVES(a, b)                                                                      \
    do {                                                                                           \
        uint8_t t = (HALVES_EXCHANGED(a) ^ (b)) & 15;                                              \
        (b) ^= t;                                                                                  \
        KEEP(t);                                                                                   \
        (a) ^= HALVES_EXCHANGED(t);                                                                \
    } while (0)

#endif
