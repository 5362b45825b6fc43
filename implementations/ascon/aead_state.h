/*
 * The state of an Ascon AEAD between the calls of the incremental API.
 *
 * References: NIST SP 800-232 (2025), section 4.1; Ascon v1.2 (2021), section 2.4.
 */
#ifndef PENNYWEIGHT_ASCON_AEAD_STATE_H
#define PENNYWEIGHT_ASCON_AEAD_STATE_H

#include <stdint.h>

#include "api.h"
#include "pennyweight/aead.h"
#include "permutation.h"

struct aead_state {
    ascon_state s; /* S */
    ascon_key key; /* K */
    uint8_t taken; /* bytes in the current block, less than ASCON_RATE */
    uint8_t phase; /* the kind of the last input: one of ASCON_PHASE_... */
};

enum { ASCON_PHASE_NONCE, ASCON_PHASE_AD, ASCON_PHASE_MESSAGE };

#endif
