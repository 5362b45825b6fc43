/*
 * Ascon's mode for authenticated encryption, with shares in initialization and finalization only:
 * where the key is used. Between them the state is not shared. An observer of that part learns the
 * state of one message, from which the key does not follow.
 *
 * References: NIST SP 800-232 (2025), section 4.1, algorithms 3 and 4; Ascon v1.2 (2021),
 * section 2.4, algorithm 1; names as there. D. Bellizia, O. Bronchain, G. Cassiers, V. Grosso,
 * C. Guo, C. Momin, O. Pereira, T. Peters, F.-X. Standaert, "Mode-Level vs. Implementation-Level
 * Physical Security in Symmetric Cryptography", CRYPTO 2020: protection by levels.
 */
#include "aead_state.h"
#include "secret.h"

const uint16_t aead_state_bytes = sizeof(aead_state);
const uint16_t aead_block_bytes = ASCON_RATE;

/* Ends the associated data, if the message has not begun yet. */
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

/* Combines all words of the state. */
static void combine(ascon_state *s, const masked_state *shared)
{
    for (unsigned i = 0; i < 5; i++) {
        s->x[i] = masked_combine(&shared->x[i]);
    }
}

/* Initialization. */
void aead_init(aead_state *state, const uint8_t *key, const uint8_t *nonce)
{
    masked_state shared;

    masked_set_key(&state->key, key);
    masked_set_state(&shared, &state->key, nonce);
    masked_permute(&shared, ASCON_ROUNDS_A);
    masked_add_key(&shared, &state->key, 24);
    combine(&state->s, &shared);
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
    masked_state shared;

    begin_message(state);
    ascon_pad(&state->s, state->taken);
    for (unsigned i = 0; i < 5; i++) {
        shared.x[i] = masked_public(state->s.x[i]);
    }
    masked_add_key(&shared, &state->key, ASCON_RATE);
    masked_permute(&shared, ASCON_ROUNDS_A);
    masked_add_key(&shared, &state->key, 24);
    state->s.x[3] = masked_combine(&shared.x[3]);
    state->s.x[4] = masked_combine(&shared.x[4]);
}

void aead_tag(const aead_state *state, uint8_t *tag)
{
    ascon_output(&state->s, 24, tag, CRYPTO_ABYTES);
}

int aead_verify(const aead_state *state, const uint8_t *tag)
{
    uint8_t expected[CRYPTO_ABYTES];

    aead_tag(state, expected);
    return compare_constant_time(expected, tag, sizeof expected);
}
