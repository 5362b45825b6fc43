/*
 * The inverse of SKINNY-128's round, a row at a time in words of 32 bits.
 *
 * References: "The SKINNY Family" (2016), section 2; same names.
 */
#ifndef PENNYWEIGHT_SKINNY_BACK_H
#define PENNYWEIGHT_SKINNY_BACK_H

#include <stdint.h>

#include "inline.h"
#include "rotate.h"

/* The bits `mask` of all cells. */
#define BITS(mask) (UINT32_C(0x01010101) * (mask))

/* The inverse of the S-box S_8: its permutation of bits, then its steps in reverse order. Each step
 * adds to bits that it does not read. */
ALWAYS_INLINE uint32_t substitute_back(uint32_t x)
{
    x = (x >> 1 & BITS(0x08)) | (x >> 2 & BITS(0x32)) | (x >> 5 & BITS(0x01)) |
        (x << 2 & BITS(0x04)) | (x << 4 & BITS(0x40)) | (x << 6 & BITS(0x80));
    x = ~x;
    x ^= (x >> 5 & x << 1 & BITS(0x04)) | (x >> 1 & x >> 2 & BITS(0x08));
    x ^= (x << 2 & x << 1 & BITS(0x80)) | (x >> 2 & x << 1 & BITS(0x02));
    x ^= (x << 5 & x << 4 & BITS(0x40)) | (x << 5 & x << 1 & BITS(0x20));
    x ^= x >> 2 & x >> 3 & BITS(0x11);
    return ~x;
}

/* The inverse round on the rows `x`; `first` and `second` are the rows of its tweakey, with the
 * constants for them. */
ALWAYS_INLINE void skinny128_round_back(uint32_t x[4], uint32_t first, uint32_t second)
{
    /* MixColumns and ShiftRows. */
    const uint32_t a = x[1], c = x[1] ^ x[3];

    x[1] = rotr32(x[2] ^ c, 8);
    x[3] = rotl32(x[0] ^ x[3], 8);
    x[2] = rotr32(c, 16);
    /* AddRoundTweakey, AddConstants and SubCells. */
    x[0] = substitute_back(a ^ first);
    x[1] = substitute_back(x[1] ^ second);
    x[2] = substitute_back(x[2] ^ 2);
    x[3] = substitute_back(x[3]);
}

#endif
