/*
 * KNOT-AEAD, for all permutations.
 *
 * References: "KNOT" (2019), section 3 (see knot.h).
 */
#include "aead_state.h"

#include "api.h"
#include "bytes.h"
#include "secret.h"

const uint16_t aead_state_bytes = sizeof(aead_state);
const uint16_t aead_block_bytes = KNOT_RATE;

enum { ABSORB, ENCRYPT, DECRYPT };

/* Processes bytes and permutes after each full block. */
static void take(aead_state *state, uint8_t *output, const uint8_t *input, size_t length,
                 uint8_t direction)
{
    for (; length != 0; length--) {
        uint8_t *at = &state->s.bytes[state->taken];
        const uint8_t in = *input++;
        const uint8_t sum = *at ^ in;

        *at = sum;
        if (direction != ABSORB) {
            if (direction == DECRYPT) {
                *at = in;
            }
            *output++ = sum;
        }
        state->taken++;
        if (state->taken == KNOT_RATE) {
            knot_permute(&state->s, KNOT_ROUNDS);
            state->taken = 0;
        }
    }
}

/* Pads a partial block, possibly empty. */
static void pad(aead_state *state)
{
    state->s.bytes[state->taken] ^= 1;
    state->taken = 0;
}

/* Separates the message from the preceding input, once. */
static void begin_message(aead_state *state)
{
    if (state->phase >= KNOT_PHASE_NO_MESSAGE) {
        return;
    }
    if (state->phase == KNOT_PHASE_AD) {
        pad(state);
        knot_permute(&state->s, KNOT_ROUNDS);
    }
    state->s.bytes[KNOT_BYTES - 1] ^= 0x80;
    state->phase = KNOT_PHASE_NO_MESSAGE;
}

void aead_init(aead_state *state, const uint8_t *key, const uint8_t *nonce)
{
    zero_bytes(state->s.bytes, KNOT_BYTES);
    copy_bytes(state->s.bytes, nonce, CRYPTO_NPUBBYTES);
    copy_bytes(state->s.bytes + CRYPTO_NPUBBYTES, key, CRYPTO_KEYBYTES);
    state->s.bytes[KNOT_BYTES - 1] ^= KNOT_TOP_BIT << 7;
    knot_permute(&state->s, KNOT_ROUNDS_0);
    state->taken = 0;
    state->phase = KNOT_PHASE_NONCE;
}

void aead_ad(aead_state *state, const uint8_t *ad, size_t length)
{
    if (length != 0) {
        take(state, NULL, ad, length, ABSORB);
        state->phase = KNOT_PHASE_AD;
    }
}

/* Encrypts or decrypts `length` bytes; a call without bytes only ends the associated data. */
static void take_message(aead_state *state, uint8_t *output, const uint8_t *input, size_t length,
                         uint8_t direction)
{
    begin_message(state);
    if (length != 0) {
        take(state, output, input, length, direction);
        state->phase = KNOT_PHASE_MESSAGE;
    }
}

void aead_encrypt(aead_state *state, uint8_t *ciphertext, const uint8_t *plaintext, size_t length)
{
    take_message(state, ciphertext, plaintext, length, ENCRYPT);
}

void aead_decrypt(aead_state *state, uint8_t *plaintext, const uint8_t *ciphertext, size_t length)
{
    take_message(state, plaintext, ciphertext, length, DECRYPT);
}

void aead_finalize(aead_state *state)
{
    begin_message(state);
    if (state->phase == KNOT_PHASE_MESSAGE) {
        pad(state);
    }
    knot_permute(&state->s, KNOT_ROUNDS_F);
}

void aead_tag(const aead_state *state, uint8_t *tag)
{
    copy_bytes(tag, state->s.bytes, CRYPTO_ABYTES);
}

int aead_verify(const aead_state *state, const uint8_t *tag)
{
    return compare_constant_time(state->s.bytes, tag, CRYPTO_ABYTES);
}
