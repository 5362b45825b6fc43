/*
 * The state of SipHash-2-4 in small code, between the calls of the incremental API.
 *
 * References: J.-P. Aumasson, D. J. Bernstein, "SipHash: a fast short-input PRF", INDOCRYPT 2012;
 * same names.
 */
#ifndef PENNYWEIGHT_SIPHASH_SMALL_MAC_STATE_H
#define PENNYWEIGHT_SIPHASH_SMALL_MAC_STATE_H

#include <stdint.h>

#include "api.h"
#include "pennyweight/mac.h"

/* A word of 64 bits and its parts, in the machine's order. */
typedef union {
    uint64_t whole;
    uint32_t half[2];
    uint16_t part[4];
    uint8_t byte[8];
} sip_word;

struct mac_state {
    sip_word v[4];
    uint8_t tag[CRYPTO_BYTES]; /* before the end, message bytes not yet in v */
    uint8_t length;            /* of the message, modulo 256 */
};

#endif
