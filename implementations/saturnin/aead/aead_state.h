/*
 * The state of SATURNIN-CTR-Cascade between the calls of the incremental API.
 *
 * References: A. Canteaut, S. Duval, G. Leurent, M. Naya-Plasencia, L. Perrin, T. Pornin, A.
 * Schrottenloher, "Saturnin" (submission to NIST's lightweight cryptography project, round 2,
 * 2019), section 2.
 */
#ifndef PENNYWEIGHT_SATURNIN_AEAD_STATE_H
#define PENNYWEIGHT_SATURNIN_AEAD_STATE_H

#include <stdint.h>

#include "pennyweight/aead.h"
#include "saturnin.h"

struct aead_state {
    uint8_t key[32];
    uint8_t nonce[16];
    uint8_t cascade[SATURNIN_BYTES]; /* the tag once finalized */
    uint8_t block[SATURNIN_BYTES];   /* the input not yet in the cascade */
    uint8_t taken;                   /* bytes of it */
    uint8_t message;                 /* the associated data has ended */
    uint32_t counter;                /* of the next block of key stream */
};

#endif
