/*
 * The state of SPIX and of ACE's cipher between the calls of the incremental API.
 *
 * References: "SPIX" and "ACE" (2019), the mode (see sliscp.h).
 */
#ifndef PENNYWEIGHT_SLISCP_AEAD_STATE_H
#define PENNYWEIGHT_SLISCP_AEAD_STATE_H

#include "pennyweight/aead.h"
#include "sliscp.h"

struct aead_state {
    sliscp_state s;
    uint8_t key[16];
    uint8_t taken; /* bytes in the current block, less than SLISCP_RATE */
    uint8_t phase; /* the kind of the last input: one of SLISCP_PHASE_... */
};

enum { SLISCP_PHASE_NONCE, SLISCP_PHASE_AD, SLISCP_PHASE_MESSAGE };

#endif
