/*
 * The state of ACE's hash between the calls of the incremental API.
 *
 * References: "ACE" (2019), the hash (see sliscp.h).
 */
#ifndef PENNYWEIGHT_SLISCP_HASH_STATE_H
#define PENNYWEIGHT_SLISCP_HASH_STATE_H

#include "pennyweight/hash.h"
#include "sliscp.h"

struct hash_state {
    sliscp_state s;
    uint8_t taken; /* bytes in the current block, less than SLISCP_RATE */
};

#endif
