/*
 * Lanes of Keccak-p[200]: bytes.
 *
 * References: none beyond FIPS 202.
 */
#ifndef PENNYWEIGHT_KECCAK_LANE_H
#define PENNYWEIGHT_KECCAK_LANE_H

#include "rotate_short.h"

typedef uint8_t keccak_lane;

#define KECCAK_XOR(a, b) ((uint8_t)((a) ^ (b)))
#define KECCAK_CHI(a, b, c) ((uint8_t)((a) ^ (~(b) & (c))))
#define KECCAK_ROL(a, n) rotl8(a, n)

#endif
