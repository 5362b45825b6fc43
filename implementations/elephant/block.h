/*
 * Elephant's operations on a block.
 *
 * References: "Elephant v2" (2021), section 2 (see aead_state.h).
 */
#ifndef PENNYWEIGHT_ELEPHANT_BLOCK_H
#define PENNYWEIGHT_ELEPHANT_BLOCK_H

#include "aead_state.h"

#include ELEPHANT_PERMUTATION

/* Adds mask_K^(i,b), for the number i of the next block. */
static void elephant_add_mask(uint8_t *x, const aead_state *state, uint8_t b)
{
    const uint8_t *mask = state->mask;

    for (uint8_t i = 0; i < ELEPHANT_BYTES; i++) {
        uint8_t m = mask[i];

        if (b != 0) {
            m ^= mask[i + b];
        }
        x[i] ^= m;
    }
}

/* The permutation, between two additions of mask_K^(i,b). */
static void elephant_encipher(uint8_t *x, const aead_state *state, uint8_t b)
{
    elephant_add_mask(x, state, b);
    elephant_permute(x);
    elephant_add_mask(x, state, b);
}

/* Encrypts or decrypts `length` <= ELEPHANT_BYTES bytes. */
static void elephant_crypt_block(const aead_state *state, uint8_t *output, const uint8_t *input,
                                 uint8_t length)
{
    uint8_t x[ELEPHANT_BYTES];

    for (uint8_t i = 0; i < ELEPHANT_BYTES; i++) {
        x[i] = i < ELEPHANT_NONCE_BYTES ? state->nonce[i] : 0;
    }
    elephant_encipher(x, state, 1);
    for (uint8_t i = 0; i < length; i++) {
        output[i] = input[i] ^ x[i];
    }
}

/* Adds to the tag the encryption under mask_K^(i,b) of `length` <= ELEPHANT_BYTES bytes, padded if
 * fewer. */
static void elephant_authenticate_block(aead_state *state, const uint8_t *input, uint8_t length,
                                        uint8_t b)
{
    uint8_t x[ELEPHANT_BYTES];

    for (uint8_t i = 0; i < ELEPHANT_BYTES; i++) {
        x[i] = i < length ? input[i] : i == length;
    }
    elephant_encipher(x, state, b);
    for (uint8_t i = 0; i < ELEPHANT_BYTES; i++) {
        state->tag[i] ^= x[i];
    }
}

#endif
