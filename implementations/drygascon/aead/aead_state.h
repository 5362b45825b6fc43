/*
 * The state of DryGASCON between the calls of the incremental API.
 *
 * References: S. Riou, "DryGASCON" (submission to NIST's lightweight cryptography project, round 2,
 * 2019).
 */
#ifndef PENNYWEIGHT_DRYGASCON_AEAD_STATE_H
#define PENNYWEIGHT_DRYGASCON_AEAD_STATE_H

#include <stdint.h>

#include "api.h"
#include "drygascon.h"
#include "pennyweight/aead.h"

struct aead_state {
    drygascon s;
    uint8_t block[DRYGASCON_BLOCK]; /* the last input, which may be a last block: padded */
    uint8_t rounds;                 /* of G for that block */
    uint8_t domain;                 /* the kind of that block */
    uint8_t tag[CRYPTO_ABYTES];
};

#endif
