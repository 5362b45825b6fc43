/*
 * GIFT-128's block and key in shares: each word of 32 bits is the sum of MASKED_SHARES words.
 *
 * References: S. Banik et al., "GIFT-COFB v1.1" (2021), chapter 2; ../masked/word32.h for the
 * masking.
 */
#ifndef PENNYWEIGHT_GIFT_MASKED_H
#define PENNYWEIGHT_GIFT_MASKED_H

#include <stdint.h>

#include "fixsliced32/gift128.h"
#include "word32.h"

/* S_0 to S_3. */
typedef struct {
    masked_word s[4];
} masked_state;

/* Round keys as for encryption without masks: the shares' sum is their complement. */
typedef struct {
    gift128_key share[MASKED_SHARES];
} masked_key;

/* Splits a key of 16 bytes and expands each share. This is a function of another source so that its
 * callers' registers hold no word of the key afterwards, which they would save on the stack. */
void masked_set_key(masked_key *key, const uint8_t *bytes);

/* Encrypts a block in place. */
void masked_encrypt(masked_state *state, const masked_key *key);

/* Sets the state to a public block of 16 bytes. */
static inline void masked_load(masked_state *state, const uint8_t *bytes)
{
    for (unsigned i = 0; i < 4; i++) {
        state->s[i] = masked_word_public(load32_be(bytes + 4 * i));
    }
}

/* Combines the shares of the state and writes them as a block of 16 bytes. */
static inline void masked_store(uint8_t *bytes, const masked_state *state)
{
    for (unsigned i = 0; i < 4; i++) {
        store32_be(bytes + 4 * i, masked_word_combine(&state->s[i]));
    }
}

#endif
