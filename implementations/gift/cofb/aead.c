/*
 * The mode COFB with GIFT-128, for all representations of blocks.
 *
 * References: S. Banik et al., "GIFT-COFB v1.1" (2021), chapter 2; same names.
 *
 * The factor of L before a block is encrypted depends on whether it is the last of the associated
 * data or of the message, and for the associated data on whether there is a message at all. So the
 * last block is buffered until the next call.
 */
#include "aead_state.h"
#include "api.h"
#include "secret.h"

const uint16_t aead_state_bytes = sizeof(aead_state);
const uint16_t aead_block_bytes = 16;

/* Y = E_K(Y + (L || 0)). */
static void encrypt(aead_state *state)
{
    cofb_offset_add(&state->y, &state->l);
    gift128_encrypt(&state->y, &state->key);
}

/* Encrypts the last block of its kind: multiplies L by 3, then `more` times again, and once more if
 * the block was padded. */
static void encrypt_last(aead_state *state, uint8_t more)
{
    more = (uint8_t)(more + state->partial);
    do {
        cofb_offset_triple(&state->l);
    } while (more-- != 0);
    encrypt(state);
    state->waiting = 0;
}

/* Processes a block of at most 16 bytes. */
static void take(aead_state *state, uint8_t *output, const uint8_t *input, uint8_t length,
                 uint8_t direction)
{
    if (state->waiting) {
        cofb_offset_double(&state->l);
        encrypt(state);
    }
    cofb_take(&state->y, output, input, length, direction);
    state->waiting = 1;
    state->partial = length != 16;
}

/* Processes `length` bytes. */
static void take_all(aead_state *state, uint8_t *output, const uint8_t *input, size_t length,
                     uint8_t direction)
{
    while (length != 0) {
        const uint8_t n = length < 16 ? (uint8_t)length : 16;

        take(state, output, input, n, direction);
        if (direction != COFB_ABSORB) {
            output += n;
        }
        input += n;
        length -= n;
    }
}

/* Y = E_K(N), L is its first half. */
void aead_init(aead_state *state, const uint8_t *key, const uint8_t *nonce)
{
    gift128_set_key(&state->key, key);
    gift128_load(&state->y, nonce);
    gift128_encrypt(&state->y, &state->key);
    cofb_offset_set(&state->l, &state->y);
    state->waiting = 0;
    state->message = 0;
}

void aead_ad(aead_state *state, const uint8_t *ad, size_t length)
{
    take_all(state, NULL, ad, length, COFB_ABSORB);
}

/* Processes an empty block if there was no associated data. */
static void end_ad(aead_state *state)
{
    if (!state->waiting) {
        take(state, NULL, NULL, 0, COFB_ABSORB);
    }
}

/* Processes `length` bytes of the message. */
static void take_message(aead_state *state, uint8_t *output, const uint8_t *input, size_t length,
                         uint8_t direction)
{
    if (length != 0 && !state->message) {
        end_ad(state);
        encrypt_last(state, 0);
        state->message = 1;
    }
    take_all(state, output, input, length, direction);
}

void aead_encrypt(aead_state *state, uint8_t *ciphertext, const uint8_t *plaintext, size_t length)
{
    take_message(state, ciphertext, plaintext, length, COFB_ENCRYPT);
}

void aead_decrypt(aead_state *state, uint8_t *plaintext, const uint8_t *ciphertext, size_t length)
{
    take_message(state, plaintext, ciphertext, length, COFB_DECRYPT);
}

void aead_finalize(aead_state *state)
{
    if (state->message) {
        encrypt_last(state, 0);
    } else {
        end_ad(state);
        encrypt_last(state, 2);
    }
}

/* T = Y. */
void aead_tag(const aead_state *state, uint8_t *tag)
{
    gift128_store(tag, &state->y);
}

int aead_verify(const aead_state *state, const uint8_t *tag)
{
    uint8_t expected[CRYPTO_ABYTES];

    aead_tag(state, expected);
    return compare_constant_time(expected, tag, sizeof expected);
}
