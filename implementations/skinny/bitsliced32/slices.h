/*
 * A round of SKINNY-128, bitsliced in 32-bit words w0 to w3.
 *
 * References: "The SKINNY Family" (2016), section 2; same names; A. Adomnicai, T. Peyrin,
 * "Fixslicing AES-like Ciphers" (TCHES 2021), for the idea of not moving cells in the linear
 * layer.
 *
 * Of the four words, word k has bits k and k + 4 of all cells: byte j has column j, in its lower
 * half bit k of rows 0 to 3, and bit k + 4 in its upper half. All bits are inverted, so that a NOR
 * becomes an AND. MixColumns cancels the inversion of rows 2 and 3; the round tweakey restores it.
 */
#ifndef PENNYWEIGHT_SKINNY_SLICES_H
#define PENNYWEIGHT_SKINNY_SLICES_H

#include <stdint.h>

#include "inline.h"

#define UPPER UINT32_C(0xf0f0f0f0) /* bits k + 4 of all cells */
#define ROW_0 UINT32_C(0x11111111)
#define ROWS_2_3 UINT32_C(0xcccccccc)

/* Exchanges bits of `a` under mask << n with those of `b` under mask. */
#define EXCHANGE(a, b, mask, n)                                                                    \
    do {                                                                                           \
        const uint32_t t = ((a) >> (n) ^ (b)) & UINT32_C(mask);                                    \
        (a) ^= t << (n);                                                                           \
        (b) ^= t;                                                                                  \
    } while (0)

/* Has the compiler finish a part before the next: interleaving needs too many registers. */
#if defined(__GNUC__) && !(defined(__clang__) && defined(__AVR__))
#define PART_ENDS() __asm__ volatile("" : "+r"(w0), "+r"(w1), "+r"(w2), "+r"(w3))
#else
#define PART_ENDS()
#endif

/* SubCells. Its eight steps x_a ^= ~(x_b | x_c) are, without the permutations between them, on bits
 * 4 7 6, 0 3 2, 6 2 1, 5 4 0, 1 0 3, 7 6 5, 3 5 4 and 2 1 7; then bits 5, 4, 0, 3, 1, 6, 7, 2
 * become bits 7 to 0. */
#define SUB_CELLS()                                                                                \
    do {                                                                                           \
        PART_ENDS();                                                                               \
        w0 ^= w3 & w2;                                                                             \
        w2 ^= (w2 & w1) << 4 & UPPER;                                                              \
        w1 ^= w0 & w0 << 4 & UPPER;                                                                \
        PART_ENDS();                                                                               \
        w1 ^= w0 & w3 & ~UPPER;                                                                    \
        w3 ^= w2 & w1 & UPPER;                                                                     \
        w2 ^= w1 & w3 >> 4 & ~UPPER;                                                               \
        w3 ^= (w1 & w0) >> 4 & ~UPPER;                                                             \
        const uint32_t w7_3 = w1;                                                                  \
        w1 = (w0 << 4 & UPPER) | (w3 >> 4 & ~UPPER);                                               \
        const uint32_t w6_2 = (w0 & UPPER) | (w2 >> 4 & ~UPPER);                                   \
        w0 = (w3 << 4 & UPPER) | (w2 & ~UPPER);                                                    \
        w2 = w6_2;                                                                                 \
        w3 = w7_3;                                                                                 \
        PART_ENDS();                                                                               \
    } while (0)

/* ShiftRows and MixColumns on a word. Row i moves by i columns; the first row enters rows 0, 1 and
 * 3, the second row 2, the third rows 0, 2 and 3, the fourth row 0. */
ALWAYS_INLINE uint32_t mix(uint32_t w)
{
    uint32_t sum = w >> 3 & ROW_0;

    sum = (sum << 8 | sum >> 24) ^ (w >> 2 & ROW_0) * 13;
    sum = (sum << 8 | sum >> 24) ^ (w >> 1 & ROW_0) << 2;
    sum = (sum << 8 | sum >> 24) ^ (w & ROW_0) * 11;
    return sum;
}

/* AddRoundTweakey, AddConstants (the one in row 2 is here, the others in the schedule) and the
 * repair of the inversion. */
#define ADD_TWEAKEY(first, second)                                                                 \
    do {                                                                                           \
        uint32_t a = (first), b = (second);                                                        \
        EXCHANGE(a, b, 0x55555555, 1);                                                             \
        w0 ^= a | ROWS_2_3;                                                                        \
        w1 ^= (b | ROWS_2_3) ^ 4;                                                                  \
        w2 ^= a >> 2 | ROWS_2_3;                                                                   \
        w3 ^= b >> 2 | ROWS_2_3;                                                                   \
    } while (0)

/* Converts the rows in w0 to w3 to inverted slices, and back. */
#define SLICE()                                                                                    \
    do {                                                                                           \
        w0 = ~w0;                                                                                  \
        w1 = ~w1;                                                                                  \
        w2 = ~w2;                                                                                  \
        w3 = ~w3;                                                                                  \
        EXCHANGE(w0, w1, 0x55555555, 1);                                                           \
        EXCHANGE(w2, w3, 0x55555555, 1);                                                           \
        EXCHANGE(w0, w2, 0x33333333, 2);                                                           \
        EXCHANGE(w1, w3, 0x33333333, 2);                                                           \
    } while (0)
#define UNSLICE()                                                                                  \
    do {                                                                                           \
        EXCHANGE(w1, w3, 0x33333333, 2);                                                           \
        EXCHANGE(w0, w2, 0x33333333, 2);                                                           \
        EXCHANGE(w2, w3, 0x55555555, 1);                                                           \
        EXCHANGE(w0, w1, 0x55555555, 1);                                                           \
        w0 = ~w0;                                                                                  \
        w1 = ~w1;                                                                                  \
        w2 = ~w2;                                                                                  \
        w3 = ~w3;                                                                                  \
    } while (0)

/* A round; `first` and `second` are the rows of its tweakey, with the constants for them. */
#define ROUND(first, second)                                                                       \
    do {                                                                                           \
        SUB_CELLS();                                                                               \
        ADD_TWEAKEY(first, second);                                                                \
        w0 = mix(w0);                                                                              \
        w1 = mix(w1);                                                                              \
        w2 = mix(w2);                                                                              \
        w3 = mix(w3);                                                                              \
    } while (0)

#endif
