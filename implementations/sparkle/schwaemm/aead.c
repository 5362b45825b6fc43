/*
 * Schwaemm's mode, Beetle, for all variants and representations.
 *
 * References: C. Beierle et al., "Schwaemm and Esch" (v1.2, 2021), section 2.3, algorithms 2.13 to
 * 2.20; same names.
 *
 * After the last block of the associated data, and of the message, a constant is added to S_R that
 * depends on its kind, and the permutation has more steps. So the last block is buffered until the
 * next call. By then, S_R has already been added to S_L (rate whitening), so the constant is also
 * added to S_L.
 */
#include "aead_state.h"
#include "api.h"
#include "rho.h"
#include "secret.h"

/* Units of key, tag, S_L and S_R. */
enum { UNIT = sizeof(unit), LEFT = SCHWAEMM_RATE / UNIT, RIGHT = SCHWAEMM_CAPACITY / UNIT };

const uint16_t aead_state_bytes = sizeof(aead_state);
const uint16_t aead_block_bytes = SCHWAEMM_RATE;

/* Adds the constant that marks the last block of its kind. */
static void add_constant(aead_state *state)
{
    const uint8_t constant =
        (uint8_t)((state->message | !state->partial) ^ 1 << SCHWAEMM_CAPACITY / 8);

    state->s.bytes[SCHWAEMM_RATE + SCHWAEMM_CAPACITY - 1] ^= constant;
    for (unsigned i = SCHWAEMM_CAPACITY - 1; i < SCHWAEMM_RATE; i += SCHWAEMM_CAPACITY) {
        state->s.bytes[i] ^= constant;
    }
}

/* Permutes after the last block of its kind. */
static void end(aead_state *state)
{
    if (state->waiting) {
        add_constant(state);
        sparkle_permute(&state->s, SPARKLE_BIG);
        state->waiting = 0;
    }
}

#if SCHWAEMM_NATIVE
/* Processes full blocks, each after a slim permutation. */
static void take_blocks(sparkle_state *s, uint8_t *output, const uint8_t *input, size_t blocks,
                        uint8_t direction)
{
    if (direction == SCHWAEMM_ABSORB) {
        schwaemm_absorb_blocks(s, NULL, input, blocks);
    } else if (direction == SCHWAEMM_ENCRYPT) {
        schwaemm_encrypt_blocks(s, output, input, blocks);
    } else {
        schwaemm_decrypt_blocks(s, output, input, blocks);
    }
}
#endif

/* Processes `length` bytes. */
static void take(aead_state *state, uint8_t *output, const uint8_t *input, size_t length,
                 uint8_t direction)
{
    while (length != 0) {
        const uint8_t n = length < SCHWAEMM_RATE ? (uint8_t)length : SCHWAEMM_RATE;

        if (state->waiting) {
#if SCHWAEMM_NATIVE
            if (n == SCHWAEMM_RATE) {
                const size_t blocks = length / SCHWAEMM_RATE;

                take_blocks(&state->s, output, input, blocks, direction);
                state->partial = 0;
                if (direction != SCHWAEMM_ABSORB) {
                    output += blocks * SCHWAEMM_RATE;
                }
                input += blocks * SCHWAEMM_RATE;
                length -= blocks * SCHWAEMM_RATE;
                continue;
            }
#endif
            sparkle_permute(&state->s, SPARKLE_SLIM);
        }
        schwaemm_take(&state->s, output, input, n, direction);
        state->waiting = 1;
        state->partial = n != SCHWAEMM_RATE;
        if (direction != SCHWAEMM_ABSORB) {
            output += n;
        }
        input += n;
        length -= n;
    }
}

/* S = Sparkle(N || K). */
void aead_init(aead_state *state, const uint8_t *key, const uint8_t *nonce)
{
#if SCHWAEMM_NATIVE
    schwaemm_initialize(&state->s, state->key, key, nonce);
#else
    for (uint8_t i = 0; i < LEFT; i++) {
        state->s.units[i] = load_unit(nonce + UNIT * i);
    }
    for (uint8_t i = 0; i < RIGHT; i++) {
        state->key[i] = load_unit(key + UNIT * i);
        state->s.units[LEFT + i] = state->key[i];
    }
    sparkle_permute(&state->s, SPARKLE_BIG);
#endif
    state->waiting = 0;
    state->message = 0;
}

/* Processing of associated data. */
void aead_ad(aead_state *state, const uint8_t *ad, size_t length)
{
    take(state, NULL, ad, length, SCHWAEMM_ABSORB);
}

/* Processes `length` bytes of the message. */
static void take_message(aead_state *state, uint8_t *output, const uint8_t *input, size_t length,
                         uint8_t direction)
{
    if (!state->message) {
        end(state);
        state->message = 2;
    }
    take(state, output, input, length, direction);
}

/* Encryption. */
void aead_encrypt(aead_state *state, uint8_t *ciphertext, const uint8_t *plaintext, size_t length)
{
    take_message(state, ciphertext, plaintext, length, SCHWAEMM_ENCRYPT);
}

/* Decryption. */
void aead_decrypt(aead_state *state, uint8_t *plaintext, const uint8_t *ciphertext, size_t length)
{
    take_message(state, plaintext, ciphertext, length, SCHWAEMM_DECRYPT);
}

/* Finalization: the tag is S_R + K. */
void aead_finalize(aead_state *state)
{
#if SCHWAEMM_NATIVE
    if (state->waiting) {
        add_constant(state);
        schwaemm_finalize(&state->s, state->key);
        return;
    }
#endif
    end(state);
    for (uint8_t i = 0; i < RIGHT; i++) {
        state->s.units[LEFT + i] ^= state->key[i];
    }
}

void aead_tag(const aead_state *state, uint8_t *tag)
{
    for (uint8_t i = 0; i < RIGHT; i++) {
        store_unit(tag + UNIT * i, state->s.units[LEFT + i]);
    }
}

int aead_verify(const aead_state *state, const uint8_t *tag)
{
    return compare_constant_time(state->s.bytes + SCHWAEMM_RATE, tag, CRYPTO_ABYTES);
}
