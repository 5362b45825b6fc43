/*
 * The state of Xoodyak's masked authenticated encryption between the calls of the incremental API.
 *
 * References: J. Daemen et al., "Xoodyak, a lightweight cryptographic scheme" (v2, 2021), the mode
 * Cyclist.
 */
#ifndef PENNYWEIGHT_XOODYAK_AEAD_STATE_H
#define PENNYWEIGHT_XOODYAK_AEAD_STATE_H

#include <stdint.h>

#include "masked.h"
#include "pennyweight/aead.h"

struct aead_state {
    masked_state s;
    uint8_t phase; /* the kind of the last input: one of XOODYAK_PHASE_... */
};

enum { XOODYAK_PHASE_KEY, XOODYAK_PHASE_AD, XOODYAK_PHASE_MESSAGE };

#endif
