/*
 * The state of Schwaemm between the calls of the incremental API.
 *
 * References: C. Beierle et al., "Schwaemm and Esch" (v1.2, 2021), section 2.3.
 */
#ifndef PENNYWEIGHT_SCHWAEMM_AEAD_STATE_H
#define PENNYWEIGHT_SCHWAEMM_AEAD_STATE_H

#include <stdint.h>

#include "pennyweight/aead.h"
#include "state.h"

struct aead_state {
    sparkle_state s;                            /* S_L || S_R */
    unit key[SCHWAEMM_CAPACITY / sizeof(unit)]; /* K */
    uint8_t waiting; /* whether a block has been taken that may be the last of its kind */
    uint8_t partial; /* whether that block was padded */
    uint8_t message; /* whether the associated data has ended: 0 or 2 */
};

#endif
