/*
 * The state of Subterranean-SAE between the calls of the incremental API.
 *
 * References: J. Daemen, P. M. C. Massolino, A. Mehrdad, Y. Rotella, "The Subterranean 2.0 Cipher
 * Suite" (submission to NIST's lightweight cryptography project, round 2, 2019; ToSC 2020, S1),
 * section 3.
 */
#ifndef PENNYWEIGHT_SUBTERRANEAN_AEAD_STATE_H
#define PENNYWEIGHT_SUBTERRANEAN_AEAD_STATE_H

#include <stdint.h>

#include "pennyweight/aead.h"
#include "subterranean.h"

struct aead_state {
    subterranean x;
    uint8_t message; /* the message has begun */
    uint8_t ended;   /* associated data or message ended with a block that was not whole */
    uint8_t tag[16];
};

#endif
