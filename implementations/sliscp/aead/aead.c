/*
 * SPIX and ACE's cipher: a duplex that absorbs the key at the start and at the end.
 *
 * References: "SPIX" and "ACE" (2019), the mode (see sliscp.h).
 */
#include "aead_state.h"

#include "api.h"
#include "bytes.h"
#include "secret.h"

const uint16_t aead_state_bytes = sizeof(aead_state);
const uint16_t aead_block_bytes = SLISCP_RATE;

/* The domain separators, in the last byte: of blocks of associated data and of the message. */
enum { DOMAIN_AD = 1, DOMAIN_MESSAGE = 2 };

enum { ABSORB, ENCRYPT, DECRYPT };

/* Ends a block. */
static void end_block(aead_state *state, uint8_t domain)
{
    sliscp_add(&state->s, SLISCP_BYTES - 1, domain);
    sliscp_permute(&state->s, SLISCP_STEPS_BETWEEN);
    state->taken = 0;
}

/* Pads a partial (possibly empty) block and ends it. */
static void end_part(aead_state *state, uint8_t domain)
{
    sliscp_add(&state->s, sliscp_rate(state->taken), 0x80);
    end_block(state, domain);
}

/* Processes `length` bytes: absorbs associated data (without output), encrypts or decrypts. */
static void take(aead_state *state, uint8_t *output, const uint8_t *input, size_t length,
                 uint8_t direction)
{
    const uint8_t domain = direction == ABSORB ? DOMAIN_AD : DOMAIN_MESSAGE;

    for (; length != 0; length--) {
        const uint8_t at = sliscp_rate(state->taken);
        uint8_t in = *input++;

        if (direction != ABSORB) {
            const uint8_t sum = in ^ sliscp_byte(&state->s, at);

            *output++ = sum;
            if (direction == DECRYPT) {
                in = sum;
            }
        }
        sliscp_add(&state->s, at, in);
        state->taken++;
        if (state->taken == SLISCP_RATE) {
            end_block(state, domain);
        }
    }
}

/* Absorbs the key. */
static void absorb_key(aead_state *state)
{
    for (uint8_t i = 0; i < 16; i++) {
        sliscp_add(&state->s, sliscp_rate(i % 8), state->key[i]);
        if (i % 8 == 7) {
            sliscp_permute(&state->s, SLISCP_STEPS);
        }
    }
}

void aead_init(aead_state *state, const uint8_t *key, const uint8_t *nonce)
{
    for (uint8_t i = 0; i < 2 * SLISCP_BLOCKS; i++) {
        state->s.x[i] = 0;
    }
    for (uint8_t i = 0; i < 8; i++) {
        sliscp_add(&state->s, (uint8_t)(SLISCP_KEY_0 + i), key[i]);
        sliscp_add(&state->s, (uint8_t)(SLISCP_KEY_1 + i), key[8 + i]);
        sliscp_add(&state->s, (uint8_t)(SLISCP_NONCE_0 + i), nonce[i]);
        sliscp_add(&state->s, (uint8_t)(SLISCP_NONCE_1 + i), nonce[8 + i]);
    }
    copy_bytes(state->key, key, CRYPTO_KEYBYTES);
    sliscp_permute(&state->s, SLISCP_STEPS);
    absorb_key(state);
    state->taken = 0;
    state->phase = SLISCP_PHASE_NONCE;
}

void aead_ad(aead_state *state, const uint8_t *ad, size_t length)
{
    if (length != 0) {
        take(state, NULL, ad, length, ABSORB);
        state->phase = SLISCP_PHASE_AD;
    }
}

/* Ends the associated data, which may be empty. */
static void begin_message(aead_state *state)
{
    if (state->phase == SLISCP_PHASE_AD) {
        end_part(state, DOMAIN_AD);
    }
    state->phase = SLISCP_PHASE_MESSAGE;
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
    end_part(state, DOMAIN_MESSAGE);
    absorb_key(state);
}

void aead_tag(const aead_state *state, uint8_t *tag)
{
    for (uint8_t i = 0; i < 8; i++) {
        tag[i] = sliscp_byte(&state->s, (uint8_t)(SLISCP_KEY_0 + i));
        tag[8 + i] = sliscp_byte(&state->s, (uint8_t)(SLISCP_KEY_1 + i));
    }
}

int aead_verify(const aead_state *state, const uint8_t *tag)
{
    uint8_t expected[CRYPTO_ABYTES];

    aead_tag(state, expected);
    return compare_constant_time(expected, tag, sizeof expected);
}
