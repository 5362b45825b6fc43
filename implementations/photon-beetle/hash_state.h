/*
 * The state of PHOTON-Beetle-Hash between the calls of the incremental API.
 *
 * References: "PHOTON-Beetle" (2021), chapter 3 (see aead_state.h).
 */
#ifndef PENNYWEIGHT_PHOTON_BEETLE_HASH_STATE_H
#define PENNYWEIGHT_PHOTON_BEETLE_HASH_STATE_H

#include <stdint.h>

#include "pennyweight/hash.h"
#include "photon256.h"

struct hash_state {
    photon256_state x; /* the state of the sponge */
    uint8_t row[4];    /* message bytes of an incomplete row */
    uint8_t taken;     /* how many they are */
    uint8_t rows;      /* rows of the message so far, 5 for all more than 4 */
};

#endif
