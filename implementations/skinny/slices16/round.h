/*
 * A round of SKINNY-128 in eight slices of 16 bits.
 *
 * References: "The SKINNY Family" (2016), section 2 (see skinny128.h); same names.
 */
#ifndef PENNYWEIGHT_SKINNY_SLICES16_ROUND_H
#define PENNYWEIGHT_SKINNY_SLICES16_ROUND_H

#include <stdint.h>

#include "exchange8.h"
#include "half.h"
#include "inline.h"
#include "keep.h"

/* ShiftRows and MixColumns on a slice, inverted before and after: row 0 enters rows 0, 1 and 3, row
 * 1 row 2, row 2 rows 0, 2 and 3, row 3 row 0. The sums of two inverted rows are inverted once
 * more. */
#if defined(__AVR__)
/* Duplicates a half of `x` in each of two bytes: the lower half in `x`, the upper half in `y`. */
#define TWICE(x, y)                                                                                \
    do {                                                                                           \
        uint8_t difference;                                                                        \
        (y) = HALVES_EXCHANGED(x);                                                                 \
        difference = ((x) ^ (y)) & 0xf0;                                                           \
        (x) ^= difference;                                                                         \
        (y) ^= difference;                                                                         \
    } while (0)

/* The same by bytes, of which each has two rows. */
ALWAYS_INLINE uint16_t mix(uint16_t slice)
{
    union {
        uint16_t slice;
        struct {
            uint8_t lower, upper;
        } rows;
    } x;
    uint8_t row0, row1, row2, row3; /* each twice */

    x.slice = slice;
    row0 = x.rows.lower;
    row2 = x.rows.upper;
    TWICE(row0, row1);
    row1 = (uint8_t)(row1 << 1 | row1 >> 7);
    TWICE(row2, row3);
    row2 = (uint8_t)(row2 << 2 | row2 >> 6);
    row3 = (uint8_t)(row3 << 7 | row3 >> 1);
    row3 ^= row2;
    KEEP(row3);
    x.rows.lower = (uint8_t)((row3 & 0x0f) ^ row0);
    row1 ^= row0;
    KEEP(row1);
    row2 = (uint8_t)(~row2 ^ row0);
    x.rows.upper = (uint8_t)(row2 ^ (row1 & 0x0f));
    return x.slice;
}
#else
/* The same for any core. */
ALWAYS_INLINE uint16_t mix(uint16_t slice)
{
    uint16_t shifted = slice & 0x000f, left = slice, right = slice, exchanged, sums;

    left <<= 1;
    shifted |= left & 0x00e0;
    KEEP(left); /* otherwise compilers repeat each shift */
    left <<= 1;
    shifted |= left & 0x0c00;
    KEEP(left);
    left <<= 1;
    shifted |= left & 0x8000;
    right >>= 1;
    shifted |= right & 0x7000;
    KEEP(right);
    right >>= 1;
    shifted |= right & 0x0300;
    KEEP(right);
    right >>= 1;
    shifted |= right & 0x0010;
    exchanged = (uint16_t)(shifted << 8 | shifted >> 8); /* rows 2, 3, 0 and 1 */
    sums = shifted ^ exchanged;
    return (uint16_t)(exchanged >> 4 ^ (sums & 0x000f) ^ (shifted & 0x0f00) ^ (sums & 0x0f00) << 4 ^
                      0xff00);
}
#endif

/* SubCells. Its eight steps x_a ^= ~(x_b | x_c) are, without the permutations between them, on bits
 * 4 7 6, 0 3 2, 6 2 1, 5 4 0, 1 0 3, 7 6 5, 3 5 4 and 2 1 7; then bits 5, 4, 0, 3, 1, 6, 7, 2
 * become bits 7 to 0, which ROUND does. */
#define SUB_CELLS()                                                                                \
    do {                                                                                           \
        x4 ^= x7 & x6;                                                                             \
        x0 ^= x3 & x2;                                                                             \
        x6 ^= x2 & x1;                                                                             \
        x5 ^= x4 & x0;                                                                             \
        x1 ^= x0 & x3;                                                                             \
        x7 ^= x6 & x5;                                                                             \
        x3 ^= x5 & x4;                                                                             \
        x2 ^= x1 & x7;                                                                             \
    } while (0)

/* A round; TWEAKEY(b) is slice b of the tweakey for rows 0 and 1. The constant in row 2 is here. */
#define ROUND(TWEAKEY)                                                                             \
    do {                                                                                           \
        uint16_t t;                                                                                \
        SUB_CELLS();                                                                               \
        t = mix(x5 ^ TWEAKEY(7));                                                                  \
        x5 = mix(x0 ^ TWEAKEY(5));                                                                 \
        x0 = mix(x2 ^ TWEAKEY(0));                                                                 \
        x2 = mix(x6 ^ TWEAKEY(2));                                                                 \
        x6 = mix(x4 ^ TWEAKEY(6));                                                                 \
        x4 = mix(x3 ^ TWEAKEY(4));                                                                 \
        x3 = mix(x1 ^ TWEAKEY(3));                                                                 \
        x1 = mix(x7 ^ TWEAKEY(1) ^ 0x0100);                                                        \
        x7 = t;                                                                                    \
    } while (0)

#endif
