/*
 * The state of COMET between the calls of the incremental API.
 *
 * References: S. Gueron, A. Jha, M. Nandi, "COMET: COunter Mode Encryption with authentication Tag"
 * (submission to NIST's lightweight cryptography project, round 2, 2019); same names.
 */
#ifndef PENNYWEIGHT_COMET_AEAD_STATE_H
#define PENNYWEIGHT_COMET_AEAD_STATE_H

#include <stdint.h>

#include "cipher.h"
#include "pennyweight/aead.h"

struct aead_state {
    uint8_t y[COMET_BLOCK]; /* Y */
    uint8_t z[16];          /* Z, the key of the next block */
    uint8_t begun;          /* the domains that have begun */
};

#endif
