/*
 * Elephant's operations on up to four blocks in parallel: byte j of a word belongs to block j.
 *
 * References: "Elephant v2" (2021), section 2 (see aead_state.h).
 */
#ifndef PENNYWEIGHT_ELEPHANT_BLOCKS_H
#define PENNYWEIGHT_ELEPHANT_BLOCKS_H

#include "block.h"
#include "bytes.h"

/* Adds the masks of the next four blocks, which are a byte apart. */
static void elephant_add_masks(uint32_t *x, const aead_state *state, uint8_t b)
{
    const uint8_t *mask = state->mask;

    for (uint8_t i = 0; i < ELEPHANT_BYTES; i++) {
        uint32_t m = load32_le(mask + i);

        if (b != 0) {
            m ^= load32_le(mask + i + b);
        }
        x[i] ^= m;
    }
}

/* The permutation, between two additions of masks. */
static void elephant_encipher4(uint32_t *x, const aead_state *state, uint8_t b)
{
    elephant_add_masks(x, state, b);
    elephant_permute4(x);
    elephant_add_masks(x, state, b);
}

/* Encrypts or decrypts `length` bytes, at most four blocks. */
static void elephant_crypt(const aead_state *state, uint8_t *output, const uint8_t *input,
                           uint8_t length)
{
    uint32_t x[ELEPHANT_BYTES];

    if (length <= ELEPHANT_BYTES) {
        elephant_crypt_block(state, output, input, length);
        return;
    }
    for (uint8_t i = 0; i < ELEPHANT_BYTES; i++) {
        x[i] = i < ELEPHANT_NONCE_BYTES ? state->nonce[i] * UINT32_C(0x01010101) : 0;
    }
    elephant_encipher4(x, state, 1);
    for (uint8_t i = 0; length != 0; length--) {
        *output++ = (uint8_t)(*input++ ^ x[i]);
        x[i] >>= 8;
        i = i == ELEPHANT_BYTES - 1 ? 0 : (uint8_t)(i + 1);
    }
}

/* Adds to the tag the encryptions of `length` bytes, at most four blocks, the last of which is
 * padded if partial. */
static void elephant_authenticate(aead_state *state, const uint8_t *input, uint8_t length,
                                  uint8_t b)
{
    uint32_t x[ELEPHANT_BYTES];
    uint32_t valid = 0xff;

    if (length <= ELEPHANT_BYTES) {
        elephant_authenticate_block(state, input, length, b);
        return;
    }
    for (uint8_t i = 0; i < ELEPHANT_BYTES; i++) {
        x[i] = *input++;
    }
    length = (uint8_t)(length - ELEPHANT_BYTES);
    for (uint8_t lane = 8; length != 0; lane = (uint8_t)(lane + 8)) {
        const uint8_t n = length < ELEPHANT_BYTES ? length : ELEPHANT_BYTES;

        for (uint8_t i = 0; i < n; i++) {
            x[i] |= (uint32_t)*input++ << lane;
        }
        if (n < ELEPHANT_BYTES) {
            x[n] |= UINT32_C(1) << lane;
        }
        valid |= UINT32_C(0xff) << lane;
        length = (uint8_t)(length - n);
    }
    elephant_encipher4(x, state, b);
    for (uint8_t i = 0; i < ELEPHANT_BYTES; i++) {
        uint32_t sum = x[i] & valid;

        sum ^= sum >> 16;
        state->tag[i] ^= (uint8_t)(sum ^ sum >> 8);
    }
}

#endif
