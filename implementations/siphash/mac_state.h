/*
 * The state of SipHash-2-4 between the calls of the incremental API.
 *
 * References: J.-P. Aumasson, D. J. Bernstein, "SipHash: a fast short-input PRF", INDOCRYPT 2012;
 * same names.
 */
#ifndef PENNYWEIGHT_SIPHASH_MAC_STATE_H
#define PENNYWEIGHT_SIPHASH_MAC_STATE_H

#include <stdint.h>

#include "api.h"
#include "native/native.h"
#include "pennyweight/mac.h"

struct mac_state {
    uint64_t v[4];
    uint8_t block[8]; /* message bytes not yet in v */
    uint8_t length;   /* of the message, modulo 256 */
    uint8_t tag[CRYPTO_BYTES];
};

#endif
