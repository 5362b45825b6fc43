/*
 * Lanes of Keccak-p[400] without copies.
 *
 * References: none beyond FIPS 202.
 */
#ifndef PENNYWEIGHT_KECCAK_LANE400_H
#define PENNYWEIGHT_KECCAK_LANE400_H

#include <stdint.h>

typedef uint16_t keccak400_lane;

#define KECCAK400_LANE(x) ((uint16_t)(x))

#define KECCAK400_ABSORBS_BITS

#endif
