/*
 * The state of Pyjamask-AEAD between the calls of the incremental API.
 *
 * References: D. Goudarzi, J. Jean, S. Kölbl, T. Peyrin, M. Rivain, Y. Sasaki, S. M. Sim, "Pyjamask
 * v1.0" (submission to NIST's lightweight cryptography project, round 2, 2019), section 3; RFC 7253
 * for OCB; same names.
 */
#ifndef PENNYWEIGHT_PYJAMASK_AEAD_STATE_H
#define PENNYWEIGHT_PYJAMASK_AEAD_STATE_H

#include <stdint.h>

#include "pennyweight/aead.h"
#include "pyjamask.h"

struct aead_state {
    pyjamask_key key;
    uint8_t l_star[PYJAMASK_BYTES];    /* L_* */
    uint8_t ad_offset[PYJAMASK_BYTES]; /* Offset of the associated data */
    uint8_t offset[PYJAMASK_BYTES];    /* Offset of the message */
    uint8_t sum[PYJAMASK_BYTES];       /* Sum of the associated data; the tag once finalized */
    uint8_t checksum[PYJAMASK_BYTES];  /* Checksum of the message */
    uint32_t ad_blocks;                /* i, the number of the next block */
    uint32_t blocks;
};

#endif
