/*
 * SKINNY-128's S-box S_8 on as many cells as are held at once.
 *
 * References: "The SKINNY Family" (2016), section 2 (see skinny128.h); same names.
 */
#ifndef PENNYWEIGHT_SKINNY128_SUBSTITUTE_H
#define PENNYWEIGHT_SKINNY128_SUBSTITUTE_H

#include "packed.h"

/* The S-box S_8 without its four permutations of bits, on inverted cells, and then the permutation
 * that is left: bits 5, 4, 0, 3, 1, 6, 7, 2 become bits 7 to 0. */
static cells substitute(cells x)
{
    x = (cells)~x;
    x = (cells)(x ^ (x >> 2 & x >> 3 & BITS(0x11)));
    x ^= (cells)((x << 5 & x << 4 & BITS(0x40)) | (x << 5 & x << 1 & BITS(0x20)));
    x ^= (cells)((x << 2 & x << 1 & BITS(0x80)) | (x >> 2 & x << 1 & BITS(0x02)));
    x ^= (cells)((x >> 5 & x << 1 & BITS(0x04)) | (x >> 1 & x >> 2 & BITS(0x08)));
    x = (cells)~x;
    return (cells)((x & BITS(0x08)) << 1 | (x & BITS(0x32)) << 2 | (x & BITS(0x01)) << 5 |
                   (x >> 2 & BITS(0x01)) | (x >> 4 & BITS(0x04)) | (x >> 6 & BITS(0x02)));
}

#endif
