/*
 * PHOTON-Beetle-AEAD, for both rates and all implementations of the permutation.
 *
 * References: "PHOTON-Beetle" (2021), chapter 3 (see aead_state.h); same
 * names.
 *
 * "variant.h" defines BEETLE_RATE, the bytes of a block.
 */
#include "aead_state.h"

#include "api.h"
#include "flash.h"
#include "secret.h"
#include "variant.h"

/* These need the variant. */
#include "sponge.h"

const uint16_t aead_state_bytes = sizeof(aead_state);
const uint16_t aead_block_bytes = BEETLE_RATE;

/* All blocks of `length` bytes. */
static void take(aead_state *state, uint8_t *output, const uint8_t *input, size_t length,
                 enum beetle_direction direction)
{
    while (length != 0) {
        const uint8_t n = length < BEETLE_RATE ? (uint8_t)length : BEETLE_RATE;

        beetle_block(&state->x, output, input, n, direction);
        if (n < BEETLE_RATE) {
            state->seen |= SEEN_PARTIAL;
        }
        if (direction != BEETLE_ABSORB) {
            output += n;
        }
        input += n;
        length -= n;
    }
}

/* Adds `full` to the state, or the next number if the last block was a partial one. */
static void separate(aead_state *state, uint8_t full)
{
    beetle_add_constant(&state->x, (state->seen & SEEN_PARTIAL) != 0 ? (uint8_t)(full + 1) : full);
    state->seen &= (uint8_t)~SEEN_PARTIAL;
}

/* IV = N || K. */
void aead_init(aead_state *state, const uint8_t *key, const uint8_t *nonce)
{
    beetle_set(&state->x, nonce, key);
    state->seen = 0;
}

/* HASH without the constant, which depends on whether a message follows. */
void aead_ad(aead_state *state, const uint8_t *ad, size_t length)
{
    if (length != 0) {
        state->seen |= SEEN_AD;
        take(state, NULL, ad, length, BEETLE_ABSORB);
    }
}

/* Encrypts or decrypts `length` bytes; before the first, associated data end with constant 1. */
static void take_message(aead_state *state, uint8_t *output, const uint8_t *input, size_t length,
                         enum beetle_direction direction)
{
    if (length == 0) {
        return;
    }
    if (state->seen == SEEN_AD || state->seen == (SEEN_AD | SEEN_PARTIAL)) {
        separate(state, 1);
    }
    state->seen |= SEEN_MESSAGE;
    take(state, output, input, length, direction);
}

void aead_encrypt(aead_state *state, uint8_t *ciphertext, const uint8_t *plaintext, size_t length)
{
    take_message(state, ciphertext, plaintext, length, BEETLE_ENCRYPT);
}

void aead_decrypt(aead_state *state, uint8_t *plaintext, const uint8_t *ciphertext, size_t length)
{
    take_message(state, plaintext, ciphertext, length, BEETLE_DECRYPT);
}

/* The constant of the last block, and the permutation before the tag. */
void aead_finalize(aead_state *state)
{
    static const uint8_t constants[4] IN_FLASH = {1, 3, 5, 1};

    separate(state, flash_u8(&constants[state->seen & (SEEN_AD | SEEN_MESSAGE)]));
    photon256_permute(&state->x);
}

void aead_tag(const aead_state *state, uint8_t *tag)
{
    beetle_output(&state->x, tag);
}

int aead_verify(const aead_state *state, const uint8_t *tag)
{
    uint8_t expected[CRYPTO_ABYTES];

    aead_tag(state, expected);
    return compare_constant_time(expected, tag, sizeof expected);
}
