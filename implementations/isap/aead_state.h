/*
 * The state of ISAP between the calls of the incremental API.
 *
 * References: C. Dobraunig, M. Eichlseder, S. Mangard, F. Mendel, B. Mennink, R. Primas,
 * T. Unterluggauer, "ISAP v2.0, Submission to NIST" (2021), section 2; same names.
 *
 * "sponge.h" is the representation's; it defines isap_state and
 *   isap_set          the state that begins with 16 bytes and ISAP_IV with a first byte
 *   isap_permute      the permutation with as many rounds as one of ISAP_S_... says
 *   isap_absorb_bits  a bit of 16 bytes after the other into the rate r_B, with s_B rounds between
 *   isap_absorb       bytes into the rate r_H, from a place on, with s_H rounds after each block
 *   isap_pad          the padding's first byte at a place
 *   isap_separate     the bit that separates associated data from the ciphertext
 *   isap_output       the first 16 bytes
 *   isap_take_key     the first 16 bytes of another state in place of the state's
 *   isap_take_nonce   a nonce in place of the last 16 bytes
 *   isap_crypt        a block of at most r_H bits with the state added
 */
#ifndef PENNYWEIGHT_ISAP_AEAD_STATE_H
#define PENNYWEIGHT_ISAP_AEAD_STATE_H

#include <stdint.h>

#include "api.h"
#include "pennyweight/aead.h"
#include "sponge.h"

struct aead_state {
    isap_state mac; /* of IsapMac; after aead_finalize it begins with the tag */
    isap_state enc; /* of IsapEnc */
    uint8_t key[CRYPTO_KEYBYTES];
    uint8_t nonce[CRYPTO_NPUBBYTES];
    uint8_t taken; /* bytes that the current block of IsapMac has taken, less than ISAP_RATE */
    uint8_t phase; /* the kind of the last input: one of ISAP_PHASE_... */
};

enum { ISAP_PHASE_AD, ISAP_PHASE_CIPHERTEXT, ISAP_PHASE_MESSAGE };

#endif
