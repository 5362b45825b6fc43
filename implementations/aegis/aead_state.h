/*
 * The state of AEGIS-128L between the calls of the incremental API.
 *
 * References: H. Wu, B. Preneel, "AEGIS: A Fast Authenticated Encryption Algorithm (v1.1)" (2016).
 */
#ifndef PENNYWEIGHT_AEGIS_AEAD_STATE_H
#define PENNYWEIGHT_AEGIS_AEAD_STATE_H

#include <stdint.h>

#include "aegis.h"
#include "pennyweight/aead.h"

struct aead_state {
    aegis_pair s[4];  /* S_i and S_i+4 */
    uint64_t ad;      /* bytes of associated data */
    uint64_t message; /* bytes of the message */
    uint8_t tag[16];  /* once finalized */
};

#endif
