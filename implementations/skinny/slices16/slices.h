/*
 * The state of SKINNY-128 in eight slices of 16 bits.
 *
 * References: "The SKINNY Family" (2016), section 2 (see skinny128.h).
 *
 * Of 16 bits, the lowest four are row 0 and the highest four row 3; column 0 is lowest in each. The
 * variables hold inverted slices, so that a NOR becomes an AND.
 */
#ifndef PENNYWEIGHT_SKINNY_SLICES16_H
#define PENNYWEIGHT_SKINNY_SLICES16_H

#include <stdint.h>

/* Converts the bytes `lower` and `upper` to inverted slices, and back. */
#define LOAD(b) (uint16_t)~(block[b] | (unsigned)block[8 + (b)] << 8)
#define STORE(b, slice)                                                                            \
    do {                                                                                           \
        block[b] = (uint8_t)~(slice);                                                              \
        block[8 + (b)] = (uint8_t)(~(unsigned)(slice) >> 8);                                       \
    } while (0)

/* The state in variables, and back. */
#define LOAD_ALL()                                                                                 \
    uint16_t x0 = LOAD(0), x1 = LOAD(1), x2 = LOAD(2), x3 = LOAD(3);                               \
    uint16_t x4 = LOAD(4), x5 = LOAD(5), x6 = LOAD(6), x7 = LOAD(7)
#define STORE_ALL()                                                                                \
    do {                                                                                           \
        STORE(0, x0);                                                                              \
        STORE(1, x1);                                                                              \
        STORE(2, x2);                                                                              \
        STORE(3, x3);                                                                              \
        STORE(4, x4);                                                                              \
        STORE(5, x5);                                                                              \
        STORE(6, x6);                                                                              \
        STORE(7, x7);                                                                              \
    } while (0)

#endif
