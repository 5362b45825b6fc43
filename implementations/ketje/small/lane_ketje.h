/*
 * Lanes of Ketje without copies.
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

typedef struct {
    ketje_lane a[25];
} ketje_state;

/* The lanes. */
#define ketje_lanes(state) ((state)->a)

#endif
