/*
 * The state of Romulus-H between the calls of the incremental API.
 *
 * References: "Romulus v1.3" (2021), section 2.4 (see romulus.h).
 */
#ifndef PENNYWEIGHT_ROMULUS_HASH_STATE_H
#define PENNYWEIGHT_ROMULUS_HASH_STATE_H

#include "hash_core.h"
#include "pennyweight/hash.h"

struct hash_state {
    romulus_hash h;
};

#endif
