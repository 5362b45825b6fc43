/*
 * The inverse of a round of SKINNY-128 in eight slices of 16 bits.
 *
 * References: "The SKINNY Family" (2016), section 2 (see skinny128.h); same names.
 */
#ifndef PENNYWEIGHT_SKINNY_SLICES16_ROUND_BACK_H
#define PENNYWEIGHT_SKINNY_SLICES16_ROUND_BACK_H

#include <stdint.h>

#include "exchange8.h"
#include "half.h"
#include "inline.h"
#include "keep.h"

/* The inverses of MixColumns and ShiftRows on a slice, inverted before and after: row 0 was row 1,
 * row 1 the sum of rows 1, 2 and 3, row 2 of 1 and 3, row 3 of 0 and 3. The sums of two inverted
 * rows are inverted once more. */
#if defined(__AVR__) && !defined(__clang__)
/* The same by bytes, of which each has two rows: comments name the lower half's row first. */
ALWAYS_INLINE uint16_t unmix(uint16_t slice)
{
    union {
        uint16_t slice;
        struct {
            uint8_t lower, upper;
        } rows;
    } x;
    uint8_t lower, upper, row1, row2, row3;

    x.slice = slice;
    lower = HALVES_EXCHANGED(x.rows.lower); /* rows 1 and 0 */
    upper = HALVES_EXCHANGED(x.rows.upper); /* rows 3 and 2 */
    row3 = x.rows.upper ^ lower;            /* above, rows 0 and 3 */
    row2 = x.rows.lower ^ x.rows.upper;
    row2 = (uint8_t)(((lower ^ upper ^ row2) & 0x0f) ^ row2); /* rows 1 and 3, twice */
    KEEP(row2);
    row1 = upper ^ row2; /* above, rows 1, 2 and 3 */
    row2 >>= 2;
    /* Rotates the upper halves by one bit. */
    __asm__("bst %0, 4\n\tlsr %0\n\tbld %0, 7" : "+r"(row1));
    __asm__("bst %0, 7\n\tlsl %0\n\tbld %0, 4" : "+r"(row3));
    x.rows.lower = (uint8_t)(((lower ^ row1) & 0x0f) ^ row1);
    x.rows.upper = (uint8_t)~(((row2 ^ row3) & 0x0f) ^ row3);
    return x.slice;
}
#else
/* The same for any core. */
ALWAYS_INLINE uint16_t unmix(uint16_t slice)
{
    const uint16_t exchanged = (uint16_t)(slice << 8 | slice >> 8); /* rows 2, 3, 0 and 1 */
    const uint16_t lower = slice >> 4;                              /* rows 1, 2, 3 and none */
    uint16_t first = slice ^ exchanged;                             /* in row 1: rows 1 and 3 */
    uint16_t second = first ^ lower;                                /* in row 1: rows 1, 2 and 3 */
    uint16_t third = exchanged ^ lower;                             /* in row 2: rows 0 and 3 */
    uint16_t x = (lower & 0x000f) ^ 0xff00;

    x ^= second >> 1 & 0x0070;
    x ^= (second & 0x0010) << 3;
    first <<= 2;
    KEEP(first); /* otherwise compilers repeat each shift */
    x ^= first & 0x0300;
    first <<= 4;
    x ^= first & 0x0c00;
    third <<= 1;
    KEEP(third);
    x ^= third & 0x1000;
    third <<= 4;
    return x ^ (third & 0xe000);
}
#endif

/* The inverse of SubCells: its steps in reverse order, without the permutations. */
#define UNSUB_CELLS()                                                                              \
    do {                                                                                           \
        x2 ^= x1 & x7;                                                                             \
        x3 ^= x5 & x4;                                                                             \
        x7 ^= x6 & x5;                                                                             \
        x1 ^= x0 & x3;                                                                             \
        x5 ^= x4 & x0;                                                                             \
        x6 ^= x2 & x1;                                                                             \
        x0 ^= x3 & x2;                                                                             \
        x4 ^= x7 & x6;                                                                             \
    } while (0)

/* An inverse round, with the permutations; TWEAKEY(b) is slice b of the tweakey for rows 0 and 1.
 * The constant in row 2 is here. */
#define UNROUND(TWEAKEY)                                                                           \
    do {                                                                                           \
        const uint16_t t = unmix(x7) ^ TWEAKEY(7);                                                 \
        x7 = unmix(x1) ^ TWEAKEY(1) ^ 0x0100;                                                      \
        x1 = unmix(x3) ^ TWEAKEY(3);                                                               \
        x3 = unmix(x4) ^ TWEAKEY(4);                                                               \
        x4 = unmix(x6) ^ TWEAKEY(6);                                                               \
        x6 = unmix(x2) ^ TWEAKEY(2);                                                               \
        x2 = unmix(x0) ^ TWEAKEY(0);                                                               \
        x0 = unmix(x5) ^ TWEAKEY(5);                                                               \
        x5 = t;                                                                                    \
        UNSUB_CELLS();                                                                             \
    } while (0)

#endif
