/*
 * Lanes of 8 or 16 bits in words that hold several adjacent copies: rotating the word rotates the
 * lane.
 *
 * References: none beyond FIPS 202.
 *
 * KECCAK_LANE_BITS is defined before.
 */
#ifndef PENNYWEIGHT_KECCAK_LANE_H
#define PENNYWEIGHT_KECCAK_LANE_H

#include <stdint.h>

#include "inline.h"

typedef uint32_t keccak_lane;

#define KECCAK_XOR(a, b) ((a) ^ (b))
#define KECCAK_CHI(a, b, c) ((a) ^ (~(b) & (c)))

/* The lane `x` rotated left by `n` bits, modulo the lane's width. */
ALWAYS_INLINE uint32_t KECCAK_ROL(uint32_t x, unsigned n)
{
    n %= KECCAK_LANE_BITS;
    return n == 0 ? x : x << n | x >> (32 - n);
}

#endif
