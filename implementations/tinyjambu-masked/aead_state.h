/*
 * The state of a masked TinyJAMBU AEAD between the calls of the incremental API.
 *
 * References: H. Wu, T. Huang, "TinyJAMBU" (Version 2, 2021), section 3.2.2.
 */
#ifndef PENNYWEIGHT_TINYJAMBU_AEAD_STATE_H
#define PENNYWEIGHT_TINYJAMBU_AEAD_STATE_H

#include <stdint.h>

#include "masked.h"
#include "pennyweight/aead.h"

struct aead_state {
    masked_state s;  /* S */
    masked_key key;  /* K */
    uint32_t tag[2]; /* T, which is public */
};

#endif
