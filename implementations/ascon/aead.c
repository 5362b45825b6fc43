/*
 * Ascon's mode for authenticated encryption, for all variants and representations of the state.
 *
 * References: NIST SP 800-232 (2025), section 4.1, algorithms 3 and 4; Ascon v1.2 (2021),
 * section 2.4, algorithm 1; same names.
 *
 * "variant.h" belongs to the variant, "permutation.h" and its headers to the representation.
 */
#include "aead_state.h"
#include "inline.h"
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
    state->taken = 0;
    state->phase = ASCON_PHASE_NONCE;
    state->s.x[0] = ascon_lane_of(ASCON_IV);
    ascon_initialize(&state->s, &state->key, key, nonce);
#else
    ascon_set_key(&state->key, key);
    ascon_set_state(&state->s, &state->key, nonce);
    ascon_permute(&state->s, ASCON_ROUNDS_A);
    ascon_add_key(&state->s, &state->key, 40 - ASCON_KEY_BYTES);
    state->taken = 0;
    state->phase = ASCON_PHASE_NONCE;
#endif
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

#if ASCON_KEYED

/* Finalization, after the last block of the message. */
static inline void end_message(aead_state *state)
{
    ascon_pad(&state->s, state->taken % ASCON_RATE);
    ascon_finalize(&state->s, &state->key);
}

/* Finalization of an empty message: not inlined, so that all calls of aead_finalize are tail calls,
 * for which no registers are saved. */
NEVER_INLINE void end_empty_message(aead_state *state)
{
    begin_message(state);
    end_message(state);
}

/* Finalization. The tag is the last 16 bytes of the state. */
void aead_finalize(aead_state *state)
{
    if (state->phase == ASCON_PHASE_MESSAGE) {
        end_message(state);
    } else {
        end_empty_message(state);
    }
}

#else

/* Finalization. The tag is the last 16 bytes of the state. */
void aead_finalize(aead_state *state)
{
    begin_message(state);
    ascon_pad(&state->s, state->taken);
    ascon_add_key(&state->s, &state->key, ASCON_RATE);
    ascon_permute(&state->s, ASCON_ROUNDS_A);
    ascon_add_key(&state->s, &state->key, 40 - ASCON_KEY_BYTES);
}

#endif

void aead_tag(const aead_state *state, uint8_t *tag)
{
#if ASCON_KEYED
    const ascon_lane low = state->s.x[3], high = state->s.x[4];

    store32_le(tag, low.even);
    store32_le(tag + 4, low.odd);
    store32_le(tag + 8, high.even);
    store32_le(tag + 12, high.odd);
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
