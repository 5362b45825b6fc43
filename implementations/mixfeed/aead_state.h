/*
 * The state of mixFeed between the calls of the incremental API.
 *
 * References: B. Chakraborty, M. Nandi, "mixFeed" (submission to NIST's lightweight cryptography
 * project, round 2, 2019).
 */
#ifndef PENNYWEIGHT_MIXFEED_AEAD_STATE_H
#define PENNYWEIGHT_MIXFEED_AEAD_STATE_H

#include <stdint.h>

#include "aes.h"
#include "pennyweight/aead.h"

struct aead_state {
    uint32_t y[4 * AES_BLOCKS]; /* Y; of several blocks, only the first is used */
    uint8_t key[16];            /* the key of the next block */
    uint8_t phase;              /* the phase that has begun */
    uint8_t taken;              /* bytes of Y's last block */
};

#endif
