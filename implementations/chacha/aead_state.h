/*
 * The state of ChaCha20-Poly1305 between the calls of the incremental API.
 *
 * References: RFC 8439 (2018), section 2.8.
 */
#ifndef PENNYWEIGHT_CHACHA20_POLY1305_AEAD_STATE_H
#define PENNYWEIGHT_CHACHA20_POLY1305_AEAD_STATE_H

#include <stdint.h>

#include "pennyweight/aead.h"
#include "poly1305.h"

/* A number of bytes: its lower and its upper 32 bits. */
typedef uint32_t byte_count[2];

struct aead_state {
    uint32_t stream[16];      /* the state of ChaCha20 for the next block */
    poly1305 mac;             /* the one-time key's first half, and the accumulator */
    uint8_t tag[16];          /* its second half; the tag once finalized */
    byte_count ad_bytes;      /* so far */
    byte_count message_bytes; /* so far */
};

#endif
