/*
 * A round of SKINNY-128 with a table for the S-box, in 32-bit words r0 to r3. Not in constant time
 * where memory is cached.
 *
 * References: "The SKINNY Family" (2016), section 2 (see skinny128.h); same names.
 *
 * A row is a word, its first cell least significant.
 */
#ifndef PENNYWEIGHT_SKINNY_TABLE32_ROUND_H
#define PENNYWEIGHT_SKINNY_TABLE32_ROUND_H

#include <stdint.h>

#include "flash.h"
#include "inline.h"
#include "sbox.h"

static uint8_t sbox[256] IN_RAM = {SKINNY128_SBOX};

/* SubCells and ShiftRows on row `i`. */
ALWAYS_INLINE uint32_t sub_shift(uint32_t x, unsigned i)
{
    const uint32_t a = sbox[x & 0xff], b = sbox[x >> 8 & 0xff];
    const uint32_t c = sbox[x >> 16 & 0xff], d = sbox[x >> 24];

    return a << 8 * i | b << 8 * ((1 + i) % 4) | c << 8 * ((2 + i) % 4) | d << 8 * ((3 + i) % 4);
}

/* ShiftRows alone on row `i`, whose cells have been substituted. */
ALWAYS_INLINE uint32_t shift(uint32_t x, unsigned i)
{
    return i == 0 ? x : x << 8 * i | x >> (32 - 8 * i);
}

/* A round; `first` and `second` are the round tweakey with the constants of its rows. */
#define ROUND(first, second)                                                                       \
    do {                                                                                           \
        r0 = sub_shift(r0, 0) ^ (first);                                                           \
        r1 = sub_shift(r1, 0) ^ (second);                                                          \
        r1 = shift(r1, 1);                                                                         \
        r2 = sub_shift(r2, 2) ^ UINT32_C(2) << 16;                                                 \
        r3 = sub_shift(r3, 3);                                                                     \
        /* MixColumns */                                                                           \
        r1 ^= r2;                                                                                  \
        r2 ^= r0;                                                                                  \
        r3 ^= r2;                                                                                  \
        const uint32_t t = r3;                                                                     \
        r3 = r2;                                                                                   \
        r2 = r1;                                                                                   \
        r1 = r0;                                                                                   \
        r0 = t;                                                                                    \
    } while (0)

#endif
