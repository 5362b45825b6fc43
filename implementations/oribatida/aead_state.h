/*
 * The state of Oribatida between the calls of the incremental API.
 *
 * References: A. Bhattacharjee, E. List, C. M. Lopez, M. Nandi, "The Oribatida Family of
 * Lightweight Authenticated Encryption Schemes v1.2" (submission to NIST's lightweight cryptography
 * project, round 2, 2019); same names.
 */
#ifndef PENNYWEIGHT_ORIBATIDA_AEAD_STATE_H
#define PENNYWEIGHT_ORIBATIDA_AEAD_STATE_H

#include <stdint.h>

#include "pennyweight/aead.h"
#include "simp.h"

struct aead_state {
    uint8_t x[SIMP_BYTES];        /* at first, nonce and key */
    uint8_t mask[ORIBATIDA_MASK]; /* V, of the next block of the message */
    uint8_t phase;                /* the phase that has begun */
    uint8_t partial;              /* the last block was partial */
};

#endif
