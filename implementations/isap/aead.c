/*
 * ISAP's mode, for all permutations: the parts IsapEnc and IsapMac, which process the message
 * together.
 *
 * References: "ISAP v2.0" (2021), section 2, algorithms 1 to 5 (see aead_state.h).
 */
#include "aead_state.h"

#include "bytes.h"
#include "secret.h"

const uint16_t aead_state_bytes = sizeof(aead_state);
const uint16_t aead_block_bytes = ISAP_RATE;

/* The first bytes of the initial values IV_A, IV_KA and IV_KE. */
enum { IV_A = 1, IV_KA = 2, IV_KE = 3 };

/* IsapRk: a session key, which the state begins with, of K and 16 bytes. */
static void rekey(isap_state *s, uint8_t iv, const uint8_t *key, const uint8_t *y)
{
    isap_set(s, key, iv);
    isap_permute(s, ISAP_S_K);
    isap_absorb_bits(s, y);
    isap_permute(s, ISAP_S_K);
}

/* Ends a part of IsapMac's input. */
static void end_part(aead_state *state)
{
    isap_pad(&state->mac, state->taken);
    isap_permute(&state->mac, ISAP_S_H);
    state->taken = 0;
}

/* Ends the associated data unless the message has begun. */
static void begin_ciphertext(aead_state *state)
{
    if (state->phase == ISAP_PHASE_AD) {
        end_part(state);
        isap_separate(&state->mac);
        state->phase = ISAP_PHASE_CIPHERTEXT;
    }
}

void aead_init(aead_state *state, const uint8_t *key, const uint8_t *nonce)
{
    copy_bytes(state->key, key, CRYPTO_KEYBYTES);
    copy_bytes(state->nonce, nonce, CRYPTO_NPUBBYTES);
    isap_set(&state->mac, nonce, IV_A);
    isap_permute(&state->mac, ISAP_S_H);
    state->taken = 0;
    state->phase = ISAP_PHASE_AD;
}

void aead_ad(aead_state *state, const uint8_t *ad, size_t length)
{
    state->taken = isap_absorb(&state->mac, state->taken, ad, length);
}

/* IsapEnc of blocks; the last may be partial. */
static void crypt_blocks(aead_state *state, uint8_t *output, const uint8_t *input, size_t length)
{
    if (length != 0 && state->phase != ISAP_PHASE_MESSAGE) {
        rekey(&state->enc, IV_KE, state->key, state->nonce);
        isap_take_nonce(&state->enc, state->nonce);
        state->phase = ISAP_PHASE_MESSAGE;
    }
    while (length != 0) {
        const uint8_t n = length < ISAP_RATE ? (uint8_t)length : ISAP_RATE;

        isap_permute(&state->enc, ISAP_S_E);
        isap_crypt(&state->enc, output, input, n);
        output += n;
        input += n;
        length -= n;
    }
}

void aead_encrypt(aead_state *state, uint8_t *ciphertext, const uint8_t *plaintext, size_t length)
{
    begin_ciphertext(state);
    crypt_blocks(state, ciphertext, plaintext, length);
    state->taken = isap_absorb(&state->mac, state->taken, ciphertext, length);
}

void aead_decrypt(aead_state *state, uint8_t *plaintext, const uint8_t *ciphertext, size_t length)
{
    begin_ciphertext(state);
    state->taken = isap_absorb(&state->mac, state->taken, ciphertext, length);
    crypt_blocks(state, plaintext, ciphertext, length);
}

/* The end of IsapMac. */
void aead_finalize(aead_state *state)
{
    uint8_t y[CRYPTO_ABYTES];

    begin_ciphertext(state);
    end_part(state);
    isap_output(&state->mac, y);
    rekey(&state->enc, IV_KA, state->key, y);
    isap_take_key(&state->mac, &state->enc);
    isap_permute(&state->mac, ISAP_S_H);
}

void aead_tag(const aead_state *state, uint8_t *tag)
{
    isap_output(&state->mac, tag);
}

int aead_verify(const aead_state *state, const uint8_t *tag)
{
    uint8_t expected[CRYPTO_ABYTES];

    aead_tag(state, expected);
    return compare_constant_time(expected, tag, sizeof expected);
}
