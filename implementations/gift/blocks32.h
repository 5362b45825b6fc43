/*
 * Operations of modes on blocks of four words.
 *
 * References: S. Banik et al., "GIFT-COFB v1.1" (2021), chapter 2: the first byte of a block is
 * the most significant one of S_0.
 */
#ifndef PENNYWEIGHT_GIFT_BLOCKS32_H
#define PENNYWEIGHT_GIFT_BLOCKS32_H

#include "bytes.h"

/* Sets the state to a block of 16 bytes. */
static inline void gift128_load(gift128_state *state, const uint8_t *bytes)
{
    for (unsigned i = 0; i < 4; i++) {
        state->s[i] = load32_be(bytes + 4 * i);
    }
}

/* Writes the state as a block of 16 bytes. */
static inline void gift128_store(uint8_t *bytes, const gift128_state *state)
{
    for (unsigned i = 0; i < 4; i++) {
        store32_be(bytes + 4 * i, state->s[i]);
    }
}

#endif
