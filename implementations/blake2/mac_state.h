/*
 * The state of keyed BLAKE2 between the calls of the incremental API.
 *
 * References: RFC 7693 (2015).
 */
#ifndef PENNYWEIGHT_BLAKE2_MAC_STATE_H
#define PENNYWEIGHT_BLAKE2_MAC_STATE_H

#include "api.h"
#include "blake2.h"
#include "pennyweight/mac.h"

struct mac_state {
    blake2 blake2;
    uint8_t tag[CRYPTO_BYTES]; /* once finalized */
};

#endif
