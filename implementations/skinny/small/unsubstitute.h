/*
 * The inverse of SKINNY-128's S-box S_8 on as many cells as are held at once.
 *
 * References: "The SKINNY Family" (2016), section 2 (see skinny128.h); same names.
 */
#ifndef PENNYWEIGHT_SKINNY128_UNSUBSTITUTE_H
#define PENNYWEIGHT_SKINNY128_UNSUBSTITUTE_H

#include "packed.h"

/* The inverse of the S-box S_8: the steps of substitute.h in reverse order. */
static cells unsubstitute(cells x)
{
    x = (cells)~x;
    x = (cells)((x >> 1 & BITS(0x08)) | (x >> 2 & BITS(0x32)) | (x >> 5 & BITS(0x01)) |
                (x & BITS(0x01)) << 2 | (x & BITS(0x04)) << 4 | (x & BITS(0x02)) << 6);
    x ^= (cells)((x >> 5 & x << 1 & BITS(0x04)) | (x >> 1 & x >> 2 & BITS(0x08)));
    x ^= (cells)((x << 2 & x << 1 & BITS(0x80)) | (x >> 2 & x << 1 & BITS(0x02)));
    x ^= (cells)((x << 5 & x << 4 & BITS(0x40)) | (x << 5 & x << 1 & BITS(0x20)));
    x = (cells)(x ^ (x >> 2 & x >> 3 & BITS(0x11)));
    return (cells)~x;
}

#endif
