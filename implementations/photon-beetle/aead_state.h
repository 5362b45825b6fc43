/*
 * The state of PHOTON-Beetle-AEAD between the calls of the incremental API.
 *
 * References: Z. Bao et al., "PHOTON-Beetle Authenticated Encryption and Hash Family" (2021),
 * chapter 3.
 */
#ifndef PENNYWEIGHT_PHOTON_BEETLE_AEAD_STATE_H
#define PENNYWEIGHT_PHOTON_BEETLE_AEAD_STATE_H

#include <stdint.h>

#include "pennyweight/aead.h"
#include "photon256.h"

struct aead_state {
    photon256_state x; /* the state of the sponge */
    uint8_t seen;      /* a sum of SEEN_... */
};

enum {
    SEEN_AD = 1,
    SEEN_MESSAGE = 2,
    SEEN_PARTIAL = 4, /* the last block was a partial one */
};

#endif
