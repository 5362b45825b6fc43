/*
 * The state of ACORN-128 between the calls of the incremental API.
 *
 * References: H. Wu, "ACORN: A Lightweight Authenticated Cipher (v3)" (2016), section 1.3.
 */
#ifndef PENNYWEIGHT_ACORN_AEAD_STATE_H
#define PENNYWEIGHT_ACORN_AEAD_STATE_H

#include <stdint.h>

#include "pennyweight/aead.h"
#include "state.h"

struct aead_state {
    acorn_state acorn;
    uint8_t tag[16]; /* once finalized */
    uint8_t message; /* the associated data has ended */
};

#endif
