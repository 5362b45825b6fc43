/*
 * GF(2^7) of WAGE in the normal basis of b = 0x1e: coordinate n is that of b^(2^n).
 *
 * References: M. Aagaard, R. AlTawy, G. Gong, K. Mandal, R. Rohit, N. Zidaric, "WAGE: An
 * Authenticated Cipher" (submission to NIST's lightweight cryptography project, round 2, 2019),
 * section 2; names as there. C. Paar, "Optimized Arithmetic for Reed-Solomon Encoders" (ISIT 1997),
 * on sums with parts in common.
 */
#ifndef PENNYWEIGHT_WAGE_BASIS_H
#define PENNYWEIGHT_WAGE_BASIS_H

#include <stdint.h>

#include "inline.h"
#include "unroll.h"

/* Bit planes of the specification's basis to those of this one. */
ALWAYS_INLINE void planes_to_normal(uint32_t x[7])
{
    const uint32_t x56 = x[5] ^ x[6], x26 = x[2] ^ x[6], x04 = x[0] ^ x[4];
    const uint32_t x356 = x[3] ^ x56, x246 = x[4] ^ x26, x156 = x[1] ^ x56;
    const uint32_t y1 = x[4] ^ x156, y3 = x[2] ^ x356, y6 = x[1] ^ x26;

    x[5] = x[0] ^ x246;
    x[4] = x356 ^ x04;
    x[0] = x156;
    x[1] = y1;
    x[2] = x246;
    x[3] = y3;
    x[6] = y6;
}

/* The way back: basis vectors 0x1e, 0x36, 0x27, 0x64, 0x6c, 0x6d, 0x2a. */
ALWAYS_INLINE void planes_from_normal(uint32_t x[7])
{
    const uint32_t x45 = x[4] ^ x[5], x12 = x[1] ^ x[2], x06 = x[0] ^ x[6];
    const uint32_t x345 = x[3] ^ x45, y0 = x[2] ^ x[5], y4 = x[0] ^ x[1];
    const uint32_t x12345 = x12 ^ x345;

    x[2] = x[0] ^ x12345;
    x[5] = x[6] ^ x12345;
    x[1] = x12 ^ x06;
    x[3] = x45 ^ x06;
    x[0] = y0;
    x[4] = y4;
    x[6] = x345;
}

/* Products with omega of the four values in a word. */
ALWAYS_INLINE uint32_t times_omega(uint32_t x)
{
    static const uint8_t products[7] = {0x07, 0x5d, 0x0f, 0x6e, 0x02, 0x48, 0x6a};
    uint32_t sum = 0;

    UNROLL
    for (uint8_t i = 0; i < 7; i++) {
        sum ^= (x >> i & UINT32_C(0x01010101)) * products[i];
    }
    return sum;
}

#endif
