/*
 * TinyJAMBU's state and key in shares: each word of 32 bits is the sum of MASKED_SHARES words.
 *
 * References: H. Wu, T. Huang, "TinyJAMBU" (Version 2, 2021), section 3.2; ../masked/word32.h for
 * the masking.
 */
#ifndef PENNYWEIGHT_TINYJAMBU_MASKED_H
#define PENNYWEIGHT_TINYJAMBU_MASKED_H

#include "variant.h"
#include "word32.h"

/* The first bit of the state's sequence is the least significant one of x[0]. */
typedef struct {
    masked_word x[4];
} masked_state;

typedef struct {
    masked_word k[TINYJAMBU_KEY_BYTES / 4];
} masked_key;

/* Splits the key. This is a function of another source so that its callers' registers hold no word
 * of the key afterwards, which they would save on the stack. */
void masked_set_key(masked_key *key, const uint8_t *bytes);

/* P_n for n = 128 * `steps`. */
void masked_permute(masked_state *s, const masked_key *key, unsigned steps);

#endif
