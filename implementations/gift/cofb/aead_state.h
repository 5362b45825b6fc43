/*
 * The state of GIFT-COFB between the calls of the incremental API.
 *
 * References: S. Banik et al., "GIFT-COFB v1.1" (2021), chapter 2.
 */
#ifndef PENNYWEIGHT_COFB_AEAD_STATE_H
#define PENNYWEIGHT_COFB_AEAD_STATE_H

#include <stdint.h>

#include "cofb.h"
#include "gift128.h"
#include "pennyweight/aead.h"

struct aead_state {
    gift128_state y; /* Y, or G(Y) + the pending block */
    cofb_offset l;   /* L */
    uint8_t waiting; /* whether a block has been taken that may be the last of its kind */
    uint8_t partial; /* whether that block was padded */
    uint8_t message; /* whether the associated data has ended */
    gift128_key key; /* K */
};

#endif
