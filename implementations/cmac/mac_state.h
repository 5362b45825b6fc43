/*
 * The state of AES-CMAC between the calls of the incremental API.
 *
 * References: NIST SP 800-38B (2005, updated 2016); same names.
 */
#ifndef PENNYWEIGHT_CMAC_MAC_STATE_H
#define PENNYWEIGHT_CMAC_MAC_STATE_H

#include <stdint.h>

#include "aes.h"
#include "pennyweight/mac.h"

struct mac_state {
    aes_key cipher;     /* CIPH_K */
    uint32_t blocks[8]; /* C_i plus the input since then; later L */
    uint32_t tag[4];    /* once finalized */
    uint8_t filled;     /* bytes absorbed since C_i, up to 16 */
    uint8_t has_l;      /* L is computed */
};

#endif
