/*
 * The state of Poly1305 between the calls of the incremental API.
 *
 * References: RFC 8439 (2018), section 2.5.
 */
#ifndef PENNYWEIGHT_POLY1305_MAC_STATE_H
#define PENNYWEIGHT_POLY1305_MAC_STATE_H

#include <stdint.h>

#include "pennyweight/mac.h"
#include "poly1305.h"

struct mac_state {
    poly1305 sum;
    uint8_t tag[16];   /* the key's second half; the tag once finalized */
    uint8_t block[16]; /* message bytes not yet in the sum */
    uint8_t filled;    /* how many */
};

#endif
