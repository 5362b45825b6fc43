/*
 * Lanes of Ketje in words that hold two or four copies of them.
 *
 * References: none beyond FIPS 202.
 */
#ifndef PENNYWEIGHT_KETJE_LANE_H
#define PENNYWEIGHT_KETJE_LANE_H

#include <stdint.h>

#include "variant.h"

typedef uint32_t ketje_lane;

#if KETJE_LANE_BYTES == 1
#define KETJE_LANE(x) ((x) * UINT32_C(0x01010101))
#else
#define KETJE_LANE(x) ((x) * UINT32_C(0x00010001))
#endif

#include "halves.h"

#endif
