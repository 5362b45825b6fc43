/*
 * Lanes of four states of Keccak-p[200] in parallel: a word holds one byte of each.
 *
 * References: none beyond FIPS 202.
 */
#ifndef PENNYWEIGHT_KECCAK_LANE_H
#define PENNYWEIGHT_KECCAK_LANE_H

#include <stdint.h>

#include "inline.h"

typedef uint32_t keccak_lane;

#define KECCAK_XOR(a, b) ((a) ^ (b))
#define KECCAK_CHI(a, b, c) ((a) ^ (~(b) & (c)))

/* Each byte of `x` rotated left by `n` bits, modulo 8. */
ALWAYS_INLINE uint32_t KECCAK_ROL(uint32_t x, unsigned n)
{
    const uint32_t low = (0xffu >> n % 8) * UINT32_C(0x01010101); /* the bits that do not wrap */

    return n % 8 == 0 ? x : (x & low) << n % 8 | (x >> (8 - n % 8) & ~(low << n % 8));
}

#endif
