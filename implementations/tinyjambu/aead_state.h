/*
 * The state of a TinyJAMBU AEAD between the calls of the incremental API.
 *
 * References: H. Wu, T. Huang, "TinyJAMBU" (Version 2, 2021), section 3.2.2.
 */
#ifndef PENNYWEIGHT_TINYJAMBU_AEAD_STATE_H
#define PENNYWEIGHT_TINYJAMBU_AEAD_STATE_H

#include <stdint.h>

#include "pennyweight/aead.h"
#include "permutation.h"

struct aead_state {
    tinyjambu_state s; /* S */
    tinyjambu_key key; /* K, in the representation's format */
};

#endif
