/*
 * The state of Subterranean-XOF between the calls of the incremental API.
 *
 * References: J. Daemen, P. M. C. Massolino, A. Mehrdad, Y. Rotella, "The Subterranean 2.0 Cipher
 * Suite" (submission to NIST's lightweight cryptography project, round 2, 2019; ToSC 2020, S1),
 * section 3.
 */
#ifndef PENNYWEIGHT_SUBTERRANEAN_HASH_STATE_H
#define PENNYWEIGHT_SUBTERRANEAN_HASH_STATE_H

#include <stdint.h>

#include "pennyweight/hash.h"
#include "subterranean.h"

struct hash_state {
    subterranean x;
    uint32_t output; /* the rest of the last 32 bits of output */
    uint8_t left;    /* bytes of it */
};

#endif
