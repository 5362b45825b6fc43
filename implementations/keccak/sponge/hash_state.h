/*
 * The state of SHA-3 and SHAKE between the calls of the incremental API.
 *
 * References: FIPS 202 (2015), section 6.
 */
#ifndef PENNYWEIGHT_KECCAK_HASH_STATE_H
#define PENNYWEIGHT_KECCAK_HASH_STATE_H

#include "pennyweight/hash.h"
#include "sponge.h"

struct hash_state {
    keccak_sponge sponge;
};

#endif
