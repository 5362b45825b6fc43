/*
 * The rounds of PHOTON-256 on rows of slices (see photon256.h), in 32-bit words.
 *
 * References: "PHOTON-Beetle" (2021), chapter 2 (see photon256.h); same names.
 *
 * For SubCells, four rows are converted to four slices: words with bit p of all of their cells.
 * MixColumnsSerial works on rows, where the product of all eight cells with an element of the field
 * takes a few operations.
 */
#ifndef PENNYWEIGHT_PHOTON_ROUNDS_H
#define PENNYWEIGHT_PHOTON_ROUNDS_H

#include <stdint.h>

#include "inline.h"
#include "sbox.h"

/* Round constants RC_k of the slices: the bit is in the first cell of each row. */
#define RC(k)                                                                                      \
    {((k) & 1) * 0x01010101u, ((k) >> 1 & 1) * 0x01010101u, ((k) >> 2 & 1) * 0x01010101u,          \
     ((k) >> 3 & 1) * 0x01010101u}
static const uint32_t constants[12][4] = {RC(1), RC(3),  RC(7), RC(14), RC(13), RC(11),
                                          RC(6), RC(12), RC(9), RC(2),  RC(5),  RC(10)};

/* Exchanges the halves, or the bytes, of two words: a's upper ones with b's lower ones. */
#define EXCHANGE(a, b, shift, mask)                                                                \
    do {                                                                                           \
        const uint32_t t = ((a) >> (shift) ^ (b)) & (mask);                                        \
        (a) ^= t << (shift);                                                                       \
        (b) ^= t;                                                                                  \
    } while (0)

/* Converts four rows to four slices, or back. */
#define TRANSPOSE(a, b, c, d)                                                                      \
    do {                                                                                           \
        EXCHANGE(a, c, 16, UINT32_C(0x0000ffff));                                                  \
        EXCHANGE(b, d, 16, UINT32_C(0x0000ffff));                                                  \
        EXCHANGE(a, b, 8, UINT32_C(0x00ff00ff));                                                   \
        EXCHANGE(c, d, 8, UINT32_C(0x00ff00ff));                                                   \
    } while (0)

/* Cells of the row `x` rotated to the left by `n` cells, n <= 7. */
ALWAYS_INLINE uint32_t shift_row(uint32_t x, unsigned n)
{
    const uint32_t low = UINT32_C(0x01010101) * (0xffu >> n);

#if defined(PHOTON256_EXCHANGES_BYTES)
    const uint32_t t = (x >> 4 ^ x) & UINT32_C(0x03030303);

    x ^= t ^ t << 4;
#endif
    return (x >> n & low) | (x << (8 - n) & ~low);
}

/* AddConstant, SubCells and ShiftRows on rows i to i + 3; `internal` has the IC of the slices. */
#define HALF(i, rc, ic0, ic1, ic2, ic3)                                                            \
    do {                                                                                           \
        uint32_t a = x[i], b = x[(i) + 1], c = x[(i) + 2], d = x[(i) + 3];                         \
        TRANSPOSE(a, b, c, d);                                                                     \
        a ^= (rc)[0] ^ (ic0);                                                                      \
        b ^= (rc)[1] ^ (ic1);                                                                      \
        c ^= (rc)[2] ^ (ic2);                                                                      \
        d ^= (rc)[3] ^ (ic3);                                                                      \
        PHOTON_SBOX(uint32_t, a, b, c, d);                                                         \
        TRANSPOSE(a, b, c, d);                                                                     \
        x[i] = shift_row(a, i);                                                                    \
        x[(i) + 1] = shift_row(b, (i) + 1);                                                        \
        x[(i) + 2] = shift_row(c, (i) + 2);                                                        \
        x[(i) + 3] = shift_row(d, (i) + 3);                                                        \
    } while (0)

/* Has the compiler finish a sum: interleaved sums take more registers than most cores have. */
#if defined(__GNUC__) && !(defined(__clang__) && defined(__AVR__))
#define FINISH(sum) __asm__("" : "+r"(sum))
#else
#define FINISH(sum)
#endif

/* A step of MixColumnsSerial: the row after the last, which takes the first one's place. With the
 * coefficients 2, 4, 2, 11, 2, 8, 5 and 6 it is a polynomial in X with rows as coefficients, of
 * which `over` is the part above X^3, to be reduced by X^4 = X + 1. */
#define STEP(x0, x1, x2, x3, x4, x5, x6, x7)                                                       \
    do {                                                                                           \
        uint32_t term = x[x3] ^ x[x5]; /* times X^3 */                                             \
        uint32_t sum = term << 24, over = term >> 8;                                               \
        FINISH(sum);                                                                               \
        FINISH(over);                                                                              \
        term = x[x1] ^ x[x6] ^ x[x7]; /* times X^2 */                                              \
        sum ^= term << 16;                                                                         \
        over ^= term >> 16;                                                                        \
        FINISH(sum);                                                                               \
        FINISH(over);                                                                              \
        term = x[x0] ^ x[x2] ^ x[x3] ^ x[x4] ^ x[x7]; /* times X */                                \
        over ^= term >> 24;                                                                        \
        sum ^= term << 8 ^ over ^ over << 8;                                                       \
        FINISH(sum);                                                                               \
        x[x0] = sum ^ x[x3] ^ x[x6];                                                               \
    } while (0)

/* Applies the permutation to the rows `x`. */
ALWAYS_INLINE void photon256_rounds(uint32_t *x)
{
    for (const uint32_t (*rc)[4] = constants; rc != constants + 12; rc++) {
        HALF(0, *rc, 0x01010100, 0x01010000, 0x01000000, 0);
        HALF(4, *rc, 0x00000001, 0x00000101, 0x00010101, 0x01010101);
        STEP(0, 1, 2, 3, 4, 5, 6, 7);
        STEP(1, 2, 3, 4, 5, 6, 7, 0);
        STEP(2, 3, 4, 5, 6, 7, 0, 1);
        STEP(3, 4, 5, 6, 7, 0, 1, 2);
        STEP(4, 5, 6, 7, 0, 1, 2, 3);
        STEP(5, 6, 7, 0, 1, 2, 3, 4);
        STEP(6, 7, 0, 1, 2, 3, 4, 5);
        STEP(7, 0, 1, 2, 3, 4, 5, 6);
    }
}

#endif
