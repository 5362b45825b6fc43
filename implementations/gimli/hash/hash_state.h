/*
 * The state of Gimli-24-Hash between the calls of the incremental API.
 *
 * References: "Gimli" (2019), section 2.10 (see gimli.h).
 */
#ifndef PENNYWEIGHT_GIMLI_HASH_STATE_H
#define PENNYWEIGHT_GIMLI_HASH_STATE_H

#include "gimli.h"
#include "pennyweight/hash.h"

struct hash_state {
    gimli_state s;
    uint8_t taken; /* bytes in the current block, less than GIMLI_RATE */
};

#endif
