/*
 * Lanes of Keccak-p[400] in words that hold them twice.
 *
 * References: none beyond FIPS 202.
 */
#ifndef PENNYWEIGHT_KECCAK_LANE400_H
#define PENNYWEIGHT_KECCAK_LANE400_H

#include <stdint.h>

typedef uint32_t keccak400_lane;

#define KECCAK400_LANE(x) ((uint32_t)(x) * UINT32_C(0x00010001))

#define KECCAK400_ABSORBS_BITS

#endif
