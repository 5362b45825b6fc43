/*
 * Oribatida.
 *
 * References: A. Bhattacharjee, E. List, C. M. Lopez, M. Nandi, "The Oribatida Family of
 * Lightweight Authenticated Encryption Schemes v1.2" (submission to NIST's lightweight cryptography
 * project, round 2, 2019), section 3; same names.
 *
 * The constant that is added before the permutation depends on whether a block is the last, so the
 * permutation is delayed until that is known.
 */
#include "aead_state.h"
#include "api.h"
#include "bytes.h"
#include "secret.h"

enum { RATE = SIMP_BYTES / 2 };

/* The phase that has begun. */
enum {
    NOTHING,
    AD,
    MESSAGE,
};

enum {
    ENCRYPT,
    DECRYPT,
};

/* Domains. */
enum {
    NONCE = 5,
    NONCE_ALONE = 9,
    END_AD = 4,
    END_AD_ALONE = 12,
    END_MESSAGE = 13,
    PARTIAL = 2,
};

const uint16_t aead_state_bytes = sizeof(aead_state);
const uint16_t aead_block_bytes = RATE;

/* V is the end of the state. */
static void set_mask(aead_state *state)
{
    copy_bytes(state->mask, state->x + SIMP_BYTES - ORIBATIDA_MASK, ORIBATIDA_MASK);
}

/* Adds a domain and permutes. */
static void end(aead_state *state, uint8_t domain)
{
    state->x[SIMP_BYTES - 1] ^= domain;
    simp_permute(state->x, 4);
}

/* Ends associated data or message. */
static void end_data(aead_state *state, uint8_t domain)
{
    end(state, (uint8_t)(state->partial ? domain | PARTIAL : domain));
}

void aead_init(aead_state *state, const uint8_t *key, const uint8_t *nonce)
{
    copy_bytes(state->x, nonce, CRYPTO_NPUBBYTES);
    copy_bytes(state->x + CRYPTO_NPUBBYTES, key, CRYPTO_KEYBYTES);
    state->phase = NOTHING;
    state->partial = 0;
}

void aead_ad(aead_state *state, const uint8_t *ad, size_t length)
{
    while (length != 0) {
        const uint8_t n = length < RATE ? (uint8_t)length : RATE;

        if (state->phase == NOTHING) {
            end(state, NONCE);
            set_mask(state);
            state->phase = AD;
        } else {
            simp_permute(state->x, 2);
        }
        for (uint8_t i = 0; i < n; i++) {
            state->x[i] ^= *ad++;
        }
        if (n != RATE) {
            state->x[n] ^= 0x80;
            state->partial = 1;
        }
        length -= n;
    }
}

/* The state is ready for the next block of the message. */
static void begin_block(aead_state *state)
{
    if (state->phase == NOTHING) {
        set_mask(state);
        end(state, NONCE);
    } else if (state->phase == AD) {
        end_data(state, END_AD);
    } else {
        simp_permute(state->x, 4);
    }
    state->phase = MESSAGE;
    state->partial = 0;
}

/* Encrypts or decrypts `length` bytes: the end of each block of the state is masked. */
static void crypt(aead_state *state, uint8_t *output, const uint8_t *input, size_t length,
                  uint8_t direction)
{
    while (length != 0) {
        const uint8_t n = length < RATE ? (uint8_t)length : RATE;

        begin_block(state);
        for (uint8_t i = 0; i < n; i++) {
            const uint8_t in = *input++;
            uint8_t sum = in ^ state->x[i], message;

            if (i + ORIBATIDA_MASK >= RATE) {
                sum ^= state->mask[i + ORIBATIDA_MASK - RATE];
            }
            *output++ = sum;
            message = direction == DECRYPT ? sum : in;
            state->x[i] ^= message;
        }
        if (n != RATE) {
            state->x[n] ^= 0x80;
            state->partial = 1;
        }
        set_mask(state);
        length -= n;
    }
}

void aead_encrypt(aead_state *state, uint8_t *ciphertext, const uint8_t *plaintext, size_t length)
{
    crypt(state, ciphertext, plaintext, length, ENCRYPT);
}

void aead_decrypt(aead_state *state, uint8_t *plaintext, const uint8_t *ciphertext, size_t length)
{
    crypt(state, plaintext, ciphertext, length, DECRYPT);
}

/* The tag is the beginning of the state. */
void aead_finalize(aead_state *state)
{
    if (state->phase == NOTHING) {
        end(state, NONCE_ALONE);
    } else {
        end_data(state, state->phase == AD ? END_AD_ALONE : END_MESSAGE);
    }
}

void aead_tag(const aead_state *state, uint8_t *tag)
{
    copy_bytes(tag, state->x, CRYPTO_ABYTES);
}

int aead_verify(const aead_state *state, const uint8_t *tag)
{
    return compare_constant_time(state->x, tag, CRYPTO_ABYTES);
}
