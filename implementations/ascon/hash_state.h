/*
 * The state of an Ascon hash between the calls of the incremental API.
 *
 * References: NIST SP 800-232 (2025), section 5.1; Ascon v1.2 (2021), section 2.5.
 */
#ifndef PENNYWEIGHT_ASCON_HASH_STATE_H
#define PENNYWEIGHT_ASCON_HASH_STATE_H

#include <stdint.h>

#include "pennyweight/hash.h"
#include "permutation.h"

struct hash_state {
    ascon_state s; /* S */
    uint8_t taken; /* bytes in the current block, less than ASCON_RATE */
};

#endif
