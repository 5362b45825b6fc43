/*
 * The state of WAGE-AE-128 between the calls of the incremental API.
 *
 * References: M. Aagaard, R. AlTawy, G. Gong, K. Mandal, R. Rohit, N. Zidaric, "WAGE: An
 * Authenticated Cipher" (submission to NIST's lightweight cryptography project, round 2, 2019),
 * section 2.
 */
#ifndef PENNYWEIGHT_WAGE_AEAD_STATE_H
#define PENNYWEIGHT_WAGE_AEAD_STATE_H

#include <stdint.h>

#include "pennyweight/aead.h"
#include "wage.h"

struct aead_state {
    uint8_t s[WAGE_STAGES];
    uint8_t key[16];
    uint8_t began_ad; /* associated data is present */
    uint8_t message;  /* the message has begun */
    uint8_t ended;    /* associated data or message ended with a block that was not whole */
    uint8_t tag[16];
};

#endif
