/*
 * Elephant's mode, for all permutations.
 *
 * References: "Elephant v2" (2021), section 2 (see aead_state.h).
 *
 * "blocks.h" defines elephant_crypt and elephant_authenticate for up to ELEPHANT_LANES blocks.
 */
#include "aead_state.h"

#include "api.h"
#include "blocks.h"
#include "bytes.h"
#include "secret.h"

const uint16_t aead_state_bytes = sizeof(aead_state);
const uint16_t aead_block_bytes = ELEPHANT_BYTES;

enum { ELEPHANT_CHUNK = ELEPHANT_LANES * ELEPHANT_BYTES };

/* Appends bytes to the masks, from byte `from` on. */
static void extend_masks(aead_state *state, uint8_t from)
{
    for (uint8_t i = from; i < ELEPHANT_MASK_BYTES; i++) {
        const uint8_t *before = &state->mask[i - ELEPHANT_BYTES];

        state->mask[i] = (uint8_t)ELEPHANT_LFSR(before);
    }
}

/* Resets the masks to mask_K^(0,0). */
static void first_masks(aead_state *state)
{
    copy_bytes(state->mask, state->key, ELEPHANT_BYTES);
    extend_masks(state, ELEPHANT_BYTES);
}

/* Advances by `blocks` <= ELEPHANT_LANES masks. */
static void next_masks(aead_state *state, uint8_t blocks)
{
    const uint8_t rest = (uint8_t)(ELEPHANT_MASK_BYTES - blocks);

    for (uint8_t i = 0; i < rest; i++) {
        state->mask[i] = state->mask[i + blocks];
    }
    extend_masks(state, rest);
}

void aead_init(aead_state *state, const uint8_t *key, const uint8_t *nonce)
{
    copy_bytes(state->key, key, CRYPTO_KEYBYTES);
    zero_bytes(state->key + CRYPTO_KEYBYTES, ELEPHANT_BYTES - CRYPTO_KEYBYTES);
    elephant_permute(state->key);
    copy_bytes(state->nonce, nonce, ELEPHANT_NONCE_BYTES);
    copy_bytes(state->tag, nonce, ELEPHANT_NONCE_BYTES);
    state->taken = ELEPHANT_NONCE_BYTES;
    state->phase = ELEPHANT_PHASE_NONCE;
    first_masks(state);
}

/* A_1 is the initial value of the tag. */
void aead_ad(aead_state *state, const uint8_t *ad, size_t length)
{
    while (length != 0) {
        uint8_t *to = state->phase == ELEPHANT_PHASE_NONCE ? state->tag : state->block;
        uint8_t n = (uint8_t)(ELEPHANT_BYTES - state->taken);

        if (state->taken == 0 && length >= ELEPHANT_BYTES) {
            const uint8_t blocks =
                length >= ELEPHANT_CHUNK ? ELEPHANT_LANES : (uint8_t)(length / ELEPHANT_BYTES);

            n = (uint8_t)(blocks * ELEPHANT_BYTES);
            next_masks(state, 1);
            elephant_authenticate(state, ad, n, 0);
            next_masks(state, (uint8_t)(blocks - 1));
        } else if (length < n) {
            n = (uint8_t)length;
            copy_bytes(to + state->taken, ad, n);
            state->taken = (uint8_t)(state->taken + n);
        } else {
            copy_bytes(to + state->taken, ad, n);
            if (state->phase == ELEPHANT_PHASE_AD) {
                next_masks(state, 1);
                elephant_authenticate_block(state, state->block, ELEPHANT_BYTES, 0);
            }
            state->phase = ELEPHANT_PHASE_AD;
            state->taken = 0;
        }
        ad += n;
        length -= n;
    }
}

/* Pads the associated data unless the message has begun. */
static void begin_message(aead_state *state)
{
    if (state->phase == ELEPHANT_PHASE_NONCE) {
        state->tag[state->taken] = 1;
        zero_bytes(state->tag + state->taken + 1, (size_t)(ELEPHANT_BYTES - 1 - state->taken));
    } else if (state->phase == ELEPHANT_PHASE_AD) {
        next_masks(state, 1);
        elephant_authenticate_block(state, state->block, state->taken, 0);
        first_masks(state);
    } else {
        return;
    }
    state->phase = ELEPHANT_PHASE_MESSAGE;
}

/* Encrypts or decrypts `length` bytes and authenticates the ciphertext. */
static void take_message(aead_state *state, uint8_t *output, const uint8_t *input, size_t length,
                         uint8_t decrypt)
{
    begin_message(state);
    while (length != 0) {
        const uint8_t n = length < ELEPHANT_CHUNK ? (uint8_t)length : ELEPHANT_CHUNK;
        const uint8_t whole = n / ELEPHANT_BYTES;

        if (decrypt) {
            elephant_authenticate(state, input, n, 2);
        }
        elephant_crypt(state, output, input, n);
        if (!decrypt) {
            elephant_authenticate(state, output, n, 2);
        }
        next_masks(state, whole);
        if (whole * ELEPHANT_BYTES != n) {
            state->phase = ELEPHANT_PHASE_END;
        }
        output += n;
        input += n;
        length -= n;
    }
}

void aead_encrypt(aead_state *state, uint8_t *ciphertext, const uint8_t *plaintext, size_t length)
{
    take_message(state, ciphertext, plaintext, length, 0);
}

void aead_decrypt(aead_state *state, uint8_t *plaintext, const uint8_t *ciphertext, size_t length)
{
    take_message(state, plaintext, ciphertext, length, 1);
}

void aead_finalize(aead_state *state)
{
    begin_message(state);
    if (state->phase == ELEPHANT_PHASE_MESSAGE) {
        elephant_authenticate_block(state, NULL, 0, 2);
    }
    first_masks(state);
    elephant_encipher(state->tag, state, 0);
}

void aead_tag(const aead_state *state, uint8_t *tag)
{
    copy_bytes(tag, state->tag, CRYPTO_ABYTES);
}

int aead_verify(const aead_state *state, const uint8_t *tag)
{
    return compare_constant_time(state->tag, tag, CRYPTO_ABYTES);
}
