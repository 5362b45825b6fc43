/*
 * The state of Elephant between the calls of the incremental API.
 *
 * References: T. Beyne, Y. L. Chen, C. Dobraunig, B. Mennink, "Elephant v2, Submission to the NIST
 * Lightweight Cryptography Competition" (2021), section 2; same names.
 *
 * "variant.h" defines ELEPHANT_BYTES, the bytes of a block and of the permutation's state,
 * ELEPHANT_PERMUTATION, the header that declares it, elephant_permute and elephant_permute4, its
 * names, and ELEPHANT_LFSR.
 */
#ifndef PENNYWEIGHT_ELEPHANT_AEAD_STATE_H
#define PENNYWEIGHT_ELEPHANT_AEAD_STATE_H

#include <stdint.h>

#include "parallel.h"
#include "pennyweight/aead.h"
#include "variant.h"

enum {
    ELEPHANT_NONCE_BYTES = 12,
    /* Masks of all blocks that are computed in parallel, multiplied by phi_2 up to twice. */
    ELEPHANT_MASK_BYTES = ELEPHANT_BYTES + ELEPHANT_LANES + 1,
};

struct aead_state {
    uint8_t key[ELEPHANT_BYTES]; /* mask_K^(0,0), the expanded key */
    uint8_t tag[ELEPHANT_BYTES]; /* the sum that becomes T */
    /* phi_1 shifts a mask by a byte and appends another: the masks with numbers i, i + 1, ... are
     * sequences of bytes that begin at mask[0], mask[1], ... */
    uint8_t mask[ELEPHANT_MASK_BYTES];
    uint8_t block[ELEPHANT_BYTES]; /* of incomplete associated data */
    uint8_t nonce[ELEPHANT_NONCE_BYTES];
    uint8_t taken; /* bytes in `block`, less than ELEPHANT_BYTES */
    uint8_t phase; /* the kind of the last input: one of ELEPHANT_PHASE_... */
};

enum {
    ELEPHANT_PHASE_NONCE,   /* the first block is incomplete */
    ELEPHANT_PHASE_AD,      /* the first block is complete */
    ELEPHANT_PHASE_MESSAGE, /* whole blocks of a message */
    ELEPHANT_PHASE_END,     /* the block with the padding */
};

#endif
