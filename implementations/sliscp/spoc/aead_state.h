/*
 * The state of SpoC between the calls of the incremental API.
 *
 * References: R. AlTawy et al., "SpoC: An Authenticated Cipher, Submission to the NIST LWC
 * Competition" (2019), section 2; same names.
 */
#ifndef PENNYWEIGHT_SPOC_AEAD_STATE_H
#define PENNYWEIGHT_SPOC_AEAD_STATE_H

#include "pennyweight/aead.h"
#include "sliscp.h"

struct aead_state {
    sliscp_state s;
    uint8_t taken;   /* bytes in the current block, less than SLISCP_RATE */
    uint8_t message; /* whether the message has begun */
};

#endif
