/*
 * Operations of modes on blocks of bytes.
 *
 * References: S. Banik et al., "GIFT-COFB v1.1" (2021), chapter 2: the first byte of a block is
 * the most significant one of S_0.
 */
#ifndef PENNYWEIGHT_GIFT_BLOCKS8_H
#define PENNYWEIGHT_GIFT_BLOCKS8_H

/* Sets the state to a block of 16 bytes. */
static inline void gift128_load(gift128_state *state, const uint8_t *bytes)
{
    for (uint8_t i = 0; i < 16; i++) {
        state->bytes[i] = bytes[i];
    }
}

/* Writes the state as a block of 16 bytes. */
static inline void gift128_store(uint8_t *bytes, const gift128_state *state)
{
    for (uint8_t i = 0; i < 16; i++) {
        bytes[i] = state->bytes[i];
    }
}

#endif
