/*
 * The state of HyENA between the calls of the incremental API.
 *
 * References: A. Chakraborti, N. Datta, A. Jha, M. Nandi, "HyENA" (submission to
 * NIST's lightweight cryptography project, round 2, 2019); same names.
 */
#ifndef PENNYWEIGHT_HYENA_AEAD_STATE_H
#define PENNYWEIGHT_HYENA_AEAD_STATE_H

#include <stdint.h>

#include "gift128.h"
#include "pennyweight/aead.h"

enum { HYENA_NONE = 0xff };

struct aead_state {
    gift128_key key;
    uint8_t y[16];    /* Y; at first, the nonce as it will be encrypted */
    uint8_t delta[8]; /* Delta, most significant byte first */
    uint8_t message;  /* the associated data has ended */
    uint8_t taken;    /* bytes of the block whose mask has not been added yet, or HYENA_NONE */
};

#endif
