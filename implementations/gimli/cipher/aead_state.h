/*
 * The state of Gimli-24-Cipher between the calls of the incremental API.
 *
 * References: D. J. Bernstein et al., "Gimli, NIST LWC second round submission" (2019),
 * section 2.11.
 */
#ifndef PENNYWEIGHT_GIMLI_AEAD_STATE_H
#define PENNYWEIGHT_GIMLI_AEAD_STATE_H

#include "gimli.h"
#include "pennyweight/aead.h"

struct aead_state {
    gimli_state s;   /* after aead_finalize it begins with the tag */
    uint8_t taken;   /* bytes in the current block, less than GIMLI_RATE */
    uint8_t message; /* whether the message has begun */
};

#endif
