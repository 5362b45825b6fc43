/*
 * The state of masked AES-GCM between the calls of the incremental API.
 *
 * References: NIST SP 800-38D (2007), sections 6.4, 6.5, 7.1; same names.
 */
#ifndef PENNYWEIGHT_GCM_AEAD_STATE_H
#define PENNYWEIGHT_GCM_AEAD_STATE_H

#include <stdint.h>

#include "aes_masked.h"
#include "ghash_masked.h"
#include "length.h"
#include "pennyweight/aead.h"

struct aead_state {
    masked_key cipher;             /* CIPH_K */
    masked_ghash hash;             /* H, and GHASH so far */
    uint32_t j0[MASKED_SHARES][4]; /* CIPH_K(J0) */
    uint32_t counter[4];           /* the counter block last used, at first J0 */
    uint8_t tag[16];               /* the tag once finalized, which is public */
    gcm_length ad;                 /* len(A) */
    gcm_length message;            /* len(C) */
};

#endif
