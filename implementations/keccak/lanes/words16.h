/*
 * Lanes of Keccak-p[400]: words of 16 bits.
 *
 * References: none beyond FIPS 202.
 */
#ifndef PENNYWEIGHT_KECCAK_LANE_H
#define PENNYWEIGHT_KECCAK_LANE_H

#include "rotate_short.h"

typedef uint16_t keccak_lane;

#define KECCAK_XOR(a, b) ((uint16_t)((a) ^ (b)))
#define KECCAK_CHI(a, b, c) ((uint16_t)((a) ^ (~(b) & (c))))
#define KECCAK_ROL(a, n) rotl16(a, n)

#endif
