/*
 * The state of SKINNY-tk2-HASH and SKINNY-tk3-HASH between the calls of the incremental API.
 *
 * References: C. Beierle et al., "SKINNY-AEAD and SKINNY-Hash v1.1" (2019), section 3.
 */
#ifndef PENNYWEIGHT_SKINNY_HASH_STATE_H
#define PENNYWEIGHT_SKINNY_HASH_STATE_H

#include <stdint.h>

#include "pennyweight/hash.h"
#include "variant.h"

struct hash_state {
    uint8_t s[16 * SKINNY128_TWEAKEYS]; /* the rate, then the capacity */
    uint8_t taken;                      /* bytes in the current block */
};

#endif
