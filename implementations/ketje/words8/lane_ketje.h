/*
 * Lanes of Ketje without copies, in two halves.
 *
 * References: none beyond FIPS 202.
 */
#ifndef PENNYWEIGHT_KETJE_LANE_H
#define PENNYWEIGHT_KETJE_LANE_H

#include <stdint.h>

#include "variant.h"

#if KETJE_LANE_BYTES == 1
typedef uint8_t ketje_lane;
#else
typedef uint16_t ketje_lane;
#endif

#define KETJE_LANE(x) ((ketje_lane)(x))

#include "halves.h"

#endif
