/*
 * The state of Esch between the calls of the incremental API.
 *
 * References: C. Beierle et al., "Schwaemm and Esch" (v1.2, 2021), section 2.2.
 */
#ifndef PENNYWEIGHT_ESCH_HASH_STATE_H
#define PENNYWEIGHT_ESCH_HASH_STATE_H

#include <stdint.h>

#include "pennyweight/hash.h"
#include "state.h"

struct hash_state {
    sparkle_state s;
    uint8_t block[ESCH_RATE]; /* the message's last bytes, at most a block */
    uint8_t taken;            /* how many */
};

#endif
