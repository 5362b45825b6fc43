/*
 * The state of DryGASCON's hashes between the calls of the incremental API.
 *
 * References: S. Riou, "DryGASCON" (submission to NIST's lightweight cryptography project, round 2,
 * 2019).
 */
#ifndef PENNYWEIGHT_DRYGASCON_HASH_STATE_H
#define PENNYWEIGHT_DRYGASCON_HASH_STATE_H

#include <stdint.h>

#include "drygascon.h"
#include "pennyweight/hash.h"

struct hash_state {
    drygascon s;
    uint8_t block[DRYGASCON_BLOCK];
    uint8_t taken; /* bytes of the current block; a full one is pending, as it may be the last */
};

#endif
