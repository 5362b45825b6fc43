/*
 * The state of HMAC-SHA256 between the calls of the incremental API.
 *
 * References: FIPS 198-1 (2008); same names.
 */
#ifndef PENNYWEIGHT_HMAC_MAC_STATE_H
#define PENNYWEIGHT_HMAC_MAC_STATE_H

#include <stdint.h>

#include "api.h"
#include "pennyweight/mac.h"
#include "sha256.h"

#define HMAC_BLOCK 64  /* B */
#define HMAC_DIGEST 32 /* L */

/* K0 is this many bytes of K, or of its hash if K is longer than a block, and zeros. */
#if CRYPTO_KEYBYTES > HMAC_BLOCK
#define HMAC_KEY HMAC_DIGEST
#else
#define HMAC_KEY CRYPTO_KEYBYTES
#endif

struct mac_state {
    hash_state hash;
    uint8_t key[HMAC_KEY];    /* the bytes of K0 that can be nonzero */
    uint8_t tag[HMAC_DIGEST]; /* once finalized; its first CRYPTO_BYTES bytes are the tag */
};

#endif
