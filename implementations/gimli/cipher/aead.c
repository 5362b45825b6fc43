/*
 * Gimli-24-Cipher.
 *
 * References: "Gimli" (2019), section 2.11 (see aead_state.h).
 */
#include "aead_state.h"

#include "api.h"
#include "bytes.h"
#include "secret.h"

const uint16_t aead_state_bytes = sizeof(aead_state);
const uint16_t aead_block_bytes = GIMLI_RATE;

/* Processes bytes and permutes after each full block. */
static void take(aead_state *state, uint8_t *output, const uint8_t *input, size_t length,
                 uint8_t direction)
{
    while (length != 0) {
        const uint8_t n = length < GIMLI_RATE ? (uint8_t)length : GIMLI_RATE;

        gimli_take(&state->s, 0, output, input, n, direction);
        if (n < GIMLI_RATE) {
            state->taken = n;
        } else {
            gimli_permute(&state->s);
        }
        if (direction != GIMLI_ABSORB) {
            output += n;
        }
        input += n;
        length -= n;
    }
}

/* Ends associated data or message: a partial block, possibly empty. */
static void end_part(aead_state *state)
{
    state->s.bytes[state->taken] ^= 1;
    state->s.bytes[GIMLI_BYTES - 1] ^= 1;
    gimli_permute(&state->s);
    state->taken = 0;
}

/* Ends the associated data unless the message has begun. */
static void begin_message(aead_state *state)
{
    if (!state->message) {
        end_part(state);
        state->message = 1;
    }
}

void aead_init(aead_state *state, const uint8_t *key, const uint8_t *nonce)
{
    copy_bytes(state->s.bytes, nonce, CRYPTO_NPUBBYTES);
    copy_bytes(state->s.bytes + CRYPTO_NPUBBYTES, key, CRYPTO_KEYBYTES);
    gimli_permute(&state->s);
    state->taken = 0;
    state->message = 0;
}

void aead_ad(aead_state *state, const uint8_t *ad, size_t length)
{
    take(state, NULL, ad, length, GIMLI_ABSORB);
}

void aead_encrypt(aead_state *state, uint8_t *ciphertext, const uint8_t *plaintext, size_t length)
{
    begin_message(state);
    take(state, ciphertext, plaintext, length, GIMLI_ENCRYPT);
}

void aead_decrypt(aead_state *state, uint8_t *plaintext, const uint8_t *ciphertext, size_t length)
{
    begin_message(state);
    take(state, plaintext, ciphertext, length, GIMLI_DECRYPT);
}

void aead_finalize(aead_state *state)
{
    begin_message(state);
    end_part(state);
}

void aead_tag(const aead_state *state, uint8_t *tag)
{
    copy_bytes(tag, state->s.bytes, CRYPTO_ABYTES);
}

int aead_verify(const aead_state *state, const uint8_t *tag)
{
    return compare_constant_time(state->s.bytes, tag, CRYPTO_ABYTES);
}
