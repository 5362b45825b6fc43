/*
 * The state of KNOT-Hash between the calls of the incremental API.
 *
 * References: "KNOT" (2019), section 4 (see knot.h).
 */
#ifndef PENNYWEIGHT_KNOT_HASH_STATE_H
#define PENNYWEIGHT_KNOT_HASH_STATE_H

#include "knot.h"
#include "pennyweight/hash.h"

struct hash_state {
    knot_state s;
    uint8_t taken; /* bytes in the current block, less than KNOT_RATE */
};

#endif
