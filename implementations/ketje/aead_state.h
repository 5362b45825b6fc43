/*
 * The state of Ketje between the calls of the incremental API.
 *
 * References: G. Bertoni, J. Daemen, M. Peeters, G. Van Assche, R. Van Keer, "CAESAR submission:
 * Ketje v2" (2016), sections 2 to 4; same names.
 */
#ifndef PENNYWEIGHT_KETJE_AEAD_STATE_H
#define PENNYWEIGHT_KETJE_AEAD_STATE_H

#include <stdint.h>

#include "api.h"
#include "ketje.h"
#include "pennyweight/aead.h"

struct aead_state {
    ketje_state s;
    uint8_t tag[CRYPTO_ABYTES]; /* after aead_finalize */
    uint8_t taken;              /* bytes in the current block */
    uint8_t message;            /* whether the message has begun */
};

#endif
