/*
 * SpoC: data is added to a part of the state masked by another part, which provides the key
 * stream.
 *
 * References: "SpoC" (2019), section 2 (see aead_state.h).
 */
#include "aead_state.h"

#include "api.h"
#include "bytes.h"
#include "secret.h"

const uint16_t aead_state_bytes = sizeof(aead_state);
const uint16_t aead_block_bytes = SLISCP_RATE;

/* Control signals, in the first bits of the state: of blocks of associated data and of the message,
 * of blocks that are not whole, and before the tag. */
enum { CONTROL_AD = 0x20, CONTROL_MESSAGE = 0x40, CONTROL_PARTIAL = 0x10, CONTROL_TAG = 0x80 };

enum { ABSORB, ENCRYPT, DECRYPT };

/* The position at which byte `i` of a block is added: one block after the byte of the rate. */
static uint8_t place(uint8_t i)
{
    return (uint8_t)(sliscp_rate(i) + 2 * SLISCP_WORD_BYTES);
}

/* The control signal of the current part. */
static uint8_t control(const aead_state *state)
{
    return state->message ? CONTROL_MESSAGE : CONTROL_AD;
}

/* Absorbs `length` bytes of associated data without output, or encrypts or decrypts
 * them. */
static void take(aead_state *state, uint8_t *output, const uint8_t *input, size_t length,
                 uint8_t direction)
{
    for (; length != 0; length--) {
        uint8_t in = *input++;

        if (state->taken == 0) {
            sliscp_permute(&state->s, SLISCP_STEPS);
        }
        if (direction != ABSORB) {
            const uint8_t sum = in ^ sliscp_byte(&state->s, sliscp_rate(state->taken));

            *output++ = sum;
            if (direction == DECRYPT) {
                in = sum;
            }
        }
        sliscp_add(&state->s, place(state->taken), in);
        state->taken++;
        if (state->taken == SLISCP_RATE) {
            sliscp_add(&state->s, 0, control(state));
            state->taken = 0;
        }
    }
}

/* Ends a partial block, if any. */
static void end_part(aead_state *state)
{
    if (state->taken != 0) {
        sliscp_add(&state->s, place(state->taken), 0x80);
        sliscp_add(&state->s, 0, control(state) | CONTROL_PARTIAL);
        state->taken = 0;
    }
}

/* Ends the associated data unless the message has begun. */
static void begin_message(aead_state *state)
{
    if (!state->message) {
        end_part(state);
        state->message = 1;
    }
}

/* SpoC-128 has room for nonce and key; SpoC-64 adds the second half of the nonce after the
 * permutation. */
void aead_init(aead_state *state, const uint8_t *key, const uint8_t *nonce)
{
    for (uint8_t i = 0; i < 2 * SLISCP_BLOCKS; i++) {
        state->s.x[i] = 0;
    }
#if SLISCP_WORD_BYTES == 4
    for (uint8_t i = 0; i < 16; i++) {
        sliscp_add(&state->s, sliscp_rate(i), nonce[i]);
        sliscp_add(&state->s, place(i), key[i]);
    }
#else
    for (uint8_t i = 0; i < 8; i++) {
        sliscp_add(&state->s, sliscp_rate(i), nonce[i]);
    }
    for (uint8_t i = 0; i < 6; i++) {
        sliscp_add(&state->s, (uint8_t)(6 + i), key[i]);
        sliscp_add(&state->s, (uint8_t)(18 + i), key[8 + i]);
    }
    for (uint8_t i = 0; i < 2; i++) {
        sliscp_add(&state->s, (uint8_t)(4 + i), key[6 + i]);
        sliscp_add(&state->s, (uint8_t)(16 + i), key[14 + i]);
    }
    sliscp_permute(&state->s, SLISCP_STEPS);
    for (uint8_t i = 0; i < 8; i++) {
        sliscp_add(&state->s, place(i), nonce[8 + i]);
    }
#endif
    state->taken = 0;
    state->message = 0;
}

void aead_ad(aead_state *state, const uint8_t *ad, size_t length)
{
    take(state, NULL, ad, length, ABSORB);
}

void aead_encrypt(aead_state *state, uint8_t *ciphertext, const uint8_t *plaintext, size_t length)
{
    begin_message(state);
    take(state, ciphertext, plaintext, length, ENCRYPT);
}

void aead_decrypt(aead_state *state, uint8_t *plaintext, const uint8_t *ciphertext, size_t length)
{
    begin_message(state);
    take(state, plaintext, ciphertext, length, DECRYPT);
}

void aead_finalize(aead_state *state)
{
    begin_message(state);
    end_part(state);
    sliscp_add(&state->s, 0, CONTROL_TAG);
    sliscp_permute(&state->s, SLISCP_STEPS);
}

void aead_tag(const aead_state *state, uint8_t *tag)
{
    for (uint8_t i = 0; i < CRYPTO_ABYTES; i++) {
        tag[i] = sliscp_byte(&state->s, place(i));
    }
}

int aead_verify(const aead_state *state, const uint8_t *tag)
{
    uint8_t expected[CRYPTO_ABYTES];

    aead_tag(state, expected);
    return compare_constant_time(expected, tag, sizeof expected);
}
