/*
 * The state of KNOT-AEAD between the calls of the incremental API.
 *
 * References: "KNOT" (2019), section 3 (see knot.h).
 */
#ifndef PENNYWEIGHT_KNOT_AEAD_STATE_H
#define PENNYWEIGHT_KNOT_AEAD_STATE_H

#include "knot.h"
#include "pennyweight/aead.h"

struct aead_state {
    knot_state s;  /* after aead_finalize it begins with the tag */
    uint8_t taken; /* bytes in the current block, less than KNOT_RATE */
    uint8_t phase; /* the kind of the last input: one of KNOT_PHASE_... */
};

enum { KNOT_PHASE_NONCE, KNOT_PHASE_AD, KNOT_PHASE_NO_MESSAGE, KNOT_PHASE_MESSAGE };

#endif
