/*
 * Ascon's mode for authenticated encryption, for all variants and representations of the state.
 *
 * References: NIST SP 800-232 (2025), section 4.1, algorithms 3 and 4; Ascon v1.2 (2021),
 * section 2.4, algorithm 1; same names.
 *
 * "variant.h" belongs to the variant, "permutation.h" and its headers to the representation.
 */
#include "aead_state.h"
#include "secret.h"

const uint16_t aead_state_bytes = sizeof(aead_state);
const uint16_t aead_block_bytes = ASCON_RATE;

/* Ends the associated data unless the message has begun. */
static void begin_message(aead_state *state)
{
    if (state->phase == ASCON_PHASE_MESSAGE) {
        return;
    }
    if (state->phase == ASCON_PHASE_AD) {
        ascon_pad(&state->s, state->taken);
        ascon_permute(&state->s, ASCON_ROUNDS_B);
        state->taken = 0;
    }
    ascon_separate(&state->s);
    state->phase = ASCON_PHASE_MESSAGE;
}

/* Initialization. */
void aead_init(aead_state *state, const uint8_t *key, const uint8_t *nonce)
{
#if ASCON_KEYED
    state->s.x[0] = ascon_lane_of(ASCON_IV);
    ascon_initialize(&state->s, &state->key, key, nonce);
#else
    ascon_set_key(&state->key, key);
    ascon_set_state(&state->s, &state->key, nonce);
    ascon_permute(&state->s, ASCON_ROUNDS_A);
    ascon_add_key(&state->s, &state->key, 40 - ASCON_KEY_BYTES);
#endif
    state->taken = 0;
    state->phase = ASCON_PHASE_NONCE;
}

/* Processing associated data. */
void aead_ad(aead_state *state, const uint8_t *ad, size_t length)
{
    if (length != 0) {
        state->taken = (uint8_t)ascon_duplex(&state->s, 0, NULL, ad, length, ASCON_ABSORB);
        state->phase = ASCON_PHASE_AD;
    }
}

/* Processing plaintext. */
void aead_encrypt(aead_state *state, uint8_t *ciphertext, const uint8_t *plaintext, size_t length)
{
    begin_message(state);
    state->taken =
        (uint8_t)ascon_duplex(&state->s, 0, ciphertext, plaintext, length, ASCON_ENCRYPT);
}

/* Processing ciphertext. */
void aead_decrypt(aead_state *state, uint8_t *plaintext, const uint8_t *ciphertext, size_t length)
{
    begin_message(state);
    state->taken =
        (uint8_t)ascon_duplex(&state->s, 0, plaintext, ciphertext, length, ASCON_DECRYPT);
}

/* Finalization. The tag is the last 16 bytes of the state. */
void aead_finalize(aead_state *state)
{
    begin_message(state);
    ascon_pad(&state->s, state->taken);
#if ASCON_KEYED
    ascon_finalize(&state->s, &state->key);
#else
    ascon_add_key(&state->s, &state->key, ASCON_RATE);
    ascon_permute(&state->s, ASCON_ROUNDS_A);
    ascon_add_key(&state->s, &state->key, 40 - ASCON_KEY_BYTES);
#endif
}

void aead_tag(const aead_state *state, uint8_t *tag)
{
#if ASCON_KEYED
    const uint8_t *bytes = (const uint8_t *)&state->s.x[3];

    for (unsigned i = 0; i < CRYPTO_ABYTES; i += 4) {
        store32_le(tag + i, load32_le(bytes + i));
    }
#else
    ascon_output(&state->s, 24, tag, CRYPTO_ABYTES);
#endif
}

int aead_verify(const aead_state *state, const uint8_t *tag)
{
    uint8_t expected[CRYPTO_ABYTES];

    aead_tag(state, expected);
    return compare_constant_time(expected, tag, sizeof expected);
}
