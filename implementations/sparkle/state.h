/*
 * The state of Sparkle, for all representations, and what they offer.
 *
 * References: C. Beierle et al., "Schwaemm and Esch" (v1.2, 2021), section 2.1; same names.
 *
 *   sparkle_permute  Sparkle with a number of steps, in place
 * Modes process it in units: 32-bit words or bytes, whichever suits the representation.
 */
#ifndef PENNYWEIGHT_SPARKLE_STATE_H
#define PENNYWEIGHT_SPARKLE_STATE_H

#include <stddef.h>
#include <stdint.h>

#include "unit.h"
#include "variant.h"

/* x_0, y_0, x_1, y_1, ...: words, in memory with the least significant byte first. */
typedef union {
    uint8_t bytes[8 * SPARKLE_BRANCHES];
    uint32_t words[2 * SPARKLE_BRANCHES];
    unit units[8 * SPARKLE_BRANCHES / sizeof(unit)];
} sparkle_state;

void sparkle_permute(sparkle_state *state, unsigned steps);

#include "native/native.h"

#endif
