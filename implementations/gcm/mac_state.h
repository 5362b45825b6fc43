/*
 * The state of AES-GMAC between the calls of the incremental API.
 *
 * References: NIST SP 800-38D (2007), section 3.
 */
#ifndef PENNYWEIGHT_GMAC_MAC_STATE_H
#define PENNYWEIGHT_GMAC_MAC_STATE_H

#include <stdint.h>

#include "aead_state.h"
#include "pennyweight/mac.h"

struct mac_state {
    aead_state gcm;
    uint8_t block[16]; /* message bytes not yet absorbed */
    uint8_t filled;    /* how many */
};

#endif
