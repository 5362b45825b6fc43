/*
 * Ascon's mode for authenticated encryption on a state in shares.
 *
 * References: NIST SP 800-232 (2025), section 4.1, algorithms 3 and 4; Ascon v1.2 (2021),
 * section 2.4, algorithm 1; names as there.
 *
 * The key and the state are shared. Associated data, ciphertext, tag and the message itself are
 * not: a word of ciphertext is the sum of the shares of a word of the state and the message's word.
 */
#include "aead_state.h"
#include "secret.h"

const uint16_t aead_state_bytes = sizeof(aead_state);
const uint16_t aead_block_bytes = ASCON_RATE;

/* Takes `length` bytes of input, at most 8, as the first bytes of the word `x`. */
static void absorb(masked_lane *x, uint8_t *output, const uint8_t *input, unsigned length,
                   unsigned direction)
{
    uint8_t block[8];

    copy_bytes(block, input, length);
    zero_bytes(block + length, 8 - length);
    ascon_lane in = ascon_lane_load(block);
    if (direction != ASCON_ABSORB) {
        const ascon_lane sum = ascon_lane_xor(masked_combine(x), in);

        ascon_lane_store(block, sum);
        copy_bytes(output, block, length);
        if (direction == ASCON_DECRYPT) {
            /* The state takes the ciphertext's place when the message is added to it. */
            zero_bytes(block + length, 8 - length);
            in = ascon_lane_load(block);
        }
    }
    masked_add(x, in);
}

/* Takes `length` bytes of input, and applies the permutation after each whole block. Returns how
 * many bytes the last block has taken. */
static uint8_t duplex(masked_state *s, uint8_t *output, const uint8_t *input, size_t length,
                      unsigned direction)
{
    for (;;) {
        for (unsigned i = 0; i < ASCON_RATE / 8; i++) {
            const size_t left = length > 8 * i ? length - 8 * i : 0;
            const unsigned n = left < 8 ? (unsigned)left : 8;

            if (n != 0) {
                absorb(&s->x[i], direction == ASCON_ABSORB ? NULL : output + 8 * i, input + 8 * i,
                       n, direction);
            }
        }
        if (length < ASCON_RATE) {
            return (uint8_t)length;
        }
        masked_permute(s, ASCON_ROUNDS_B);
        if (direction != ASCON_ABSORB) {
            output += ASCON_RATE;
        }
        input += ASCON_RATE;
        length -= ASCON_RATE;
    }
}

/* Ends the associated data, if the message has not begun yet. */
static void begin_message(aead_state *state)
{
    if (state->phase == ASCON_PHASE_MESSAGE) {
        return;
    }
    if (state->phase == ASCON_PHASE_AD) {
        masked_pad(&state->s, state->taken);
        masked_permute(&state->s, ASCON_ROUNDS_B);
        state->taken = 0;
    }
    masked_separate(&state->s);
    state->phase = ASCON_PHASE_MESSAGE;
}

/* Initialization. */
void aead_init(aead_state *state, const uint8_t *key, const uint8_t *nonce)
{
    masked_set_key(&state->key, key);
    masked_set_state(&state->s, &state->key, nonce);
    masked_permute(&state->s, ASCON_ROUNDS_A);
    masked_add_key(&state->s, &state->key, 24);
    state->taken = 0;
    state->phase = ASCON_PHASE_NONCE;
}

/* Processing associated data. */
void aead_ad(aead_state *state, const uint8_t *ad, size_t length)
{
    if (length != 0) {
        state->taken = duplex(&state->s, NULL, ad, length, ASCON_ABSORB);
        state->phase = ASCON_PHASE_AD;
    }
}

/* Processing plaintext. */
void aead_encrypt(aead_state *state, uint8_t *ciphertext, const uint8_t *plaintext, size_t length)
{
    begin_message(state);
    state->taken = duplex(&state->s, ciphertext, plaintext, length, ASCON_ENCRYPT);
}

/* Processing ciphertext. */
void aead_decrypt(aead_state *state, uint8_t *plaintext, const uint8_t *ciphertext, size_t length)
{
    begin_message(state);
    state->taken = duplex(&state->s, plaintext, ciphertext, length, ASCON_DECRYPT);
}

/* Finalization. The tag is the last 16 bytes of the state. */
void aead_finalize(aead_state *state)
{
    begin_message(state);
    masked_pad(&state->s, state->taken);
    masked_add_key(&state->s, &state->key, ASCON_RATE);
    masked_permute(&state->s, ASCON_ROUNDS_A);
    masked_add_key(&state->s, &state->key, 24);
}

void aead_tag(const aead_state *state, uint8_t *tag)
{
    ascon_lane_store(tag, masked_combine(&state->s.x[3]));
    ascon_lane_store(tag + 8, masked_combine(&state->s.x[4]));
}

int aead_verify(const aead_state *state, const uint8_t *tag)
{
    uint8_t expected[CRYPTO_ABYTES];

    aead_tag(state, expected);
    return compare_constant_time(expected, tag, sizeof expected);
}
