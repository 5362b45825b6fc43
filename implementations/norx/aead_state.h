/*
 * The state of NORX32 between the calls of the incremental API.
 *
 * References: J.-P. Aumasson, P. Jovanovic, S. Neves, "NORX v3.0" (2016), section 3.
 */
#ifndef PENNYWEIGHT_NORX_AEAD_STATE_H
#define PENNYWEIGHT_NORX_AEAD_STATE_H

#include <stdint.h>

#include "pennyweight/aead.h"
#include "variant.h"

struct aead_state {
    uint32_t s[16]; /* least significant bytes first */
#if NORX_BLINDED
    uint32_t key[4]; /* the same */
#endif
    uint8_t open;    /* the last input, header or payload, is not padded yet */
    uint8_t message; /* the header has ended */
};

#endif
