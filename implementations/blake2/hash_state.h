/*
 * The state of BLAKE2 as a hash between the calls of the incremental API.
 *
 * References: RFC 7693 (2015).
 */
#ifndef PENNYWEIGHT_BLAKE2_HASH_STATE_H
#define PENNYWEIGHT_BLAKE2_HASH_STATE_H

#include "blake2.h"
#include "pennyweight/hash.h"

struct hash_state {
    blake2 blake2;
};

#endif
