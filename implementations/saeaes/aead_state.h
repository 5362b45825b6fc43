/*
 * The state of SAEAES between the calls of the incremental API.
 *
 * References: Y. Naito, M. Matsui, Y. Sakai, D. Suzuki, K. Sakiyama, T. Sugawara, "SAEAES"
 * (submission to NIST's lightweight cryptography project, round 2, 2019).
 */
#ifndef PENNYWEIGHT_SAEAES_AEAD_STATE_H
#define PENNYWEIGHT_SAEAES_AEAD_STATE_H

#include <stdint.h>

#include "aes.h"
#include "pennyweight/aead.h"

struct aead_state {
    aes_key key;
    uint32_t s[4 * AES_BLOCKS]; /* S; of several blocks, only the first is used */
    uint8_t taken;              /* bytes in the current block */
    uint8_t message;            /* the associated data has ended */
    uint8_t nonce[15];
};

#endif
