/*
 * The state of an Ascon AEAD with masked ends between the calls of the incremental API.
 *
 * References: NIST SP 800-232 (2025), section 4.1; Ascon v1.2 (2021), section 2.4.
 */
#ifndef PENNYWEIGHT_ASCON_AEAD_STATE_H
#define PENNYWEIGHT_ASCON_AEAD_STATE_H

#include <stdint.h>

#include "api.h"
#include "masked.h"
#include "pennyweight/aead.h"

struct aead_state {
    ascon_state s;  /* S */
    masked_key key; /* K */
    uint8_t taken;  /* bytes that the current block has taken, less than ASCON_RATE */
    uint8_t phase;  /* the kind of the last input: one of ASCON_PHASE_... */
};

enum { ASCON_PHASE_NONCE, ASCON_PHASE_AD, ASCON_PHASE_MESSAGE };

#endif
