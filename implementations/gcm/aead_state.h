/*
 * The state of AES-GCM between the calls of the incremental API.
 *
 * References: NIST SP 800-38D (2007), sections 6.4, 6.5, 7.1; same names.
 */
#ifndef PENNYWEIGHT_GCM_AEAD_STATE_H
#define PENNYWEIGHT_GCM_AEAD_STATE_H

#include <stdint.h>

#include "aes.h"
#include "ghash.h"
#include "length.h"
#include "pennyweight/aead.h"

/* Bytes of the IV and of a tag: those in "api.h"; the IV of GMAC is the rest of its key. */
#ifdef CRYPTO_NPUBBYTES
#define GCM_IV_BYTES CRYPTO_NPUBBYTES
#define GCM_TAG_BYTES CRYPTO_ABYTES
#else
#define GCM_IV_BYTES (CRYPTO_KEYBYTES - AES_KEY_BYTES)
#define GCM_TAG_BYTES CRYPTO_BYTES
#endif

struct aead_state {
    aes_key cipher;      /* CIPH_K */
    ghash_state hash;    /* H, and GHASH so far */
    uint32_t counter[4]; /* the counter block last used, at first J0 */
    uint32_t tag[4];     /* CIPH_K(J0); the tag once finalized */
    gcm_length ad;       /* len(A) */
    gcm_length message;  /* len(C) */
};

#endif
