/*
 * The state of Spook between the calls of the incremental API.
 *
 * References: D. Bellizia, F. Berti, O. Bronchain, G. Cassiers, S. Duval, C. Guo, G. Leander, G.
 * Leurent, I. Levi, C. Momin, O. Pereira, T. Peters, F.-X. Standaert, F. Wiemer, "Spook"
 * (submission to NIST's lightweight cryptography project, round 2, 2019), section 2.
 */
#ifndef PENNYWEIGHT_SPOOK_AEAD_STATE_H
#define PENNYWEIGHT_SPOOK_AEAD_STATE_H

#include <stdint.h>

#include "clyde.h"
#include "pennyweight/aead.h"

struct aead_state {
    uint8_t x[SHADOW_BYTES];
    uint8_t key[16];
    uint8_t message; /* the message has begun */
    uint8_t tag[16];
};

#endif
