/*
 * The state of SHA-512 between the calls of the incremental API.
 *
 * References: FIPS 180-4 (2015), section 6.4; same names.
 */
#ifndef PENNYWEIGHT_SHA512_HASH_STATE_H
#define PENNYWEIGHT_SHA512_HASH_STATE_H

#include <stdint.h>

#include "pennyweight/hash.h"

struct hash_state {
    uint64_t h[8];      /* H^(i) */
    uint64_t bytes;     /* length of the message so far */
    uint8_t block[128]; /* the partial block at its end */
};

#endif
