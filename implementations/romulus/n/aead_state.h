/*
 * The state of Romulus-N between the calls of the incremental API.
 *
 * References: "Romulus v1.3" (2021), section 2.4 (see romulus.h).
 */
#ifndef PENNYWEIGHT_ROMULUS_AEAD_STATE_H
#define PENNYWEIGHT_ROMULUS_AEAD_STATE_H

#include <stdint.h>

#include "pennyweight/aead.h"
#include "romulus.h"

struct aead_state {
    skinny128_schedule schedule;  /* of K, and of the nonce once the message begins */
    uint8_t s[ROMULUS_BLOCK];     /* S */
    uint8_t nonce[ROMULUS_BLOCK]; /* N */
    romulus_tk1 tk1;
    uint8_t phase;   /* one of PHASE_... */
    uint8_t partial; /* 1 if the last block was partial or missing */
};

enum { PHASE_EMPTY, PHASE_AD, PHASE_MESSAGE, PHASE_BLOCK };

#endif
