/*
 * The state of ORANGISH between the calls of the incremental API.
 *
 * References: B. Chakraborty, M. Nandi, "ORANGE" (submission to NIST's lightweight cryptography
 * project, round 2, 2019).
 */
#ifndef PENNYWEIGHT_ORANGISH_HASH_STATE_H
#define PENNYWEIGHT_ORANGISH_HASH_STATE_H

#include <stdint.h>

#include "pennyweight/hash.h"
#include "photon256.h"

struct hash_state {
    photon256_state x;
    uint8_t block[16];    /* the current block */
    uint8_t previous[16]; /* the block before */
    uint8_t taken;        /* bytes of the current block */
    uint8_t begun;        /* 0: nothing was taken, 1: a block, 2: more */
};

#endif
