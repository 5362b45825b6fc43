/*
 * The state of HMAC-SHA256 between the calls of the incremental API.
 *
 * References: FIPS 198-1 (2008); names as there.
 */
#ifndef PENNYWEIGHT_HMAC_MAC_STATE_H
#define PENNYWEIGHT_HMAC_MAC_STATE_H

#include <stdint.h>

#include "api.h"
#include "pennyweight/mac.h"
#include "sha256.h"

struct mac_state {
    hash_state hash;
    uint8_t key[CRYPTO_KEYBYTES]; /* K; K0 is this and zeros up to a block */
    uint8_t tag[CRYPTO_BYTES];    /* once finalized */
};

#endif
