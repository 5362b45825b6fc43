/*
 * Xoodoo's state in shares: each lane is the sum of MASKED_SHARES lanes.
 *
 * References: J. Daemen, S. Hoffert, M. Peeters, G. Van Assche, R. Van Keer, "Xoodyak, a
 * lightweight cryptographic scheme" (v2, 2021), the permutation Xoodoo; ../masked/word32.h for the
 * masking.
 */
#ifndef PENNYWEIGHT_XOODYAK_MASKED_H
#define PENNYWEIGHT_XOODYAK_MASKED_H

#include <stdint.h>

#include "native/native.h"
#include "word32.h"

#define XOODOO_LANES 12
#define XOODOO_ROUNDS 12

/* Three planes of four lanes, plane by plane. */
typedef struct {
    masked_word lane[XOODOO_LANES];
} masked_state;

/* The state with 16 bytes of key in shares, 16 bytes of public nonce, and zeros. This is a function
 * of another source so that its callers' registers hold no word of the key afterwards, which they
 * would save on the stack. */
void masked_set_state(masked_state *s, const uint8_t *key, const uint8_t *nonce);

/* Xoodoo[12]. */
void masked_permute(masked_state *s);

#endif
