/*
 * Romulus-N.
 *
 * References: "Romulus v1.3" (2021), section 2.4 (see romulus.h); same names.
 */
#include "aead_state.h"

#include "api.h"
#include "secret.h"

const uint16_t aead_state_bytes = sizeof(aead_state);
const uint16_t aead_block_bytes = 2 * ROMULUS_BLOCK; /* associated data go in pairs of blocks */

enum {
    DOMAIN_MESSAGE = 4,         /* after a block that is not the last */
    DOMAIN_AD = 8,              /* after a pair of blocks */
    DOMAIN_LAST_MESSAGE = 0x14, /* these two increase by 1 and 2 if the last block is partial */
    DOMAIN_LAST_AD = 0x18,
};

void aead_init(aead_state *state, const uint8_t *key, const uint8_t *nonce)
{
    skinny128_set_key(&state->schedule, key);
#if ROMULUS_WORDS
    romulus_pad(state->s, nonce, 0); /* zeros */
    romulus_pad(state->nonce, nonce, ROMULUS_BLOCK);
#else
    for (uint8_t i = 0; i < ROMULUS_BLOCK; i++) {
        state->s[i] = 0;
        state->nonce[i] = nonce[i];
    }
#endif
    romulus_reset(&state->tk1);
    state->phase = PHASE_EMPTY;
    state->partial = 1;
}

/* The first block of a pair is added to the state, the second is a tweakey. */
void aead_ad(aead_state *state, const uint8_t *ad, size_t length)
{
    uint8_t odd = 1;

    while (length != 0) {
        const uint8_t n = length < ROMULUS_BLOCK ? (uint8_t)length : ROMULUS_BLOCK;

        if (odd) {
            romulus_absorb(state->s, ad, n);
        } else {
            uint8_t tk2[ROMULUS_BLOCK];

            romulus_pad(tk2, ad, n);
            skinny128_set_tk2(&state->schedule, tk2);
            romulus_encrypt(&state->schedule, &state->tk1, DOMAIN_AD, state->s);
        }
        romulus_count(&state->tk1);
        state->phase = PHASE_AD;
        state->partial = n < ROMULUS_BLOCK;
        odd ^= 1;
        ad += n;
        length -= n;
    }
}

/* Ends the associated data unless the message has begun. */
static void begin_message(aead_state *state)
{
    if (state->phase >= PHASE_MESSAGE) {
        return;
    }
    if (state->phase == PHASE_EMPTY) {
        romulus_count(&state->tk1);
    }
    skinny128_set_tk2(&state->schedule, state->nonce);
    romulus_encrypt(&state->schedule, &state->tk1, (uint8_t)(DOMAIN_LAST_AD + 2 * state->partial),
                    state->s);
    romulus_reset(&state->tk1);
    state->phase = PHASE_MESSAGE;
    state->partial = 1;
}

/* The encryption of each block is delayed until it is known whether it is the last. */
static void take(aead_state *state, uint8_t *output, const uint8_t *input, size_t length,
                 uint8_t inverse)
{
    begin_message(state);
    while (length != 0) {
        const uint8_t n = length < ROMULUS_BLOCK ? (uint8_t)length : ROMULUS_BLOCK;

        if (state->phase == PHASE_BLOCK) {
            romulus_encrypt(&state->schedule, &state->tk1, DOMAIN_MESSAGE, state->s);
        }
        romulus_rho(state->s, output, input, n, inverse);
        romulus_count(&state->tk1);
        state->phase = PHASE_BLOCK;
        state->partial = n < ROMULUS_BLOCK;
        output += n;
        input += n;
        length -= n;
    }
}

void aead_encrypt(aead_state *state, uint8_t *ciphertext, const uint8_t *plaintext, size_t length)
{
    take(state, ciphertext, plaintext, length, 0);
}

void aead_decrypt(aead_state *state, uint8_t *plaintext, const uint8_t *ciphertext, size_t length)
{
    take(state, plaintext, ciphertext, length, 1);
}

void aead_finalize(aead_state *state)
{
    begin_message(state);
    if (state->phase == PHASE_MESSAGE) {
        romulus_count(&state->tk1);
    }
    romulus_encrypt(&state->schedule, &state->tk1, (uint8_t)(DOMAIN_LAST_MESSAGE + state->partial),
                    state->s);
}

void aead_tag(const aead_state *state, uint8_t *tag)
{
    romulus_g(tag, state->s);
}

int aead_verify(const aead_state *state, const uint8_t *tag)
{
    uint8_t expected[CRYPTO_ABYTES];

    aead_tag(state, expected);
    return compare_constant_time(expected, tag, sizeof expected);
}
