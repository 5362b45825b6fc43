/*
 * COMET-128 and COMET-64, for all block ciphers.
 *
 * References: S. Gueron, A. Jha, M. Nandi, "COMET: COunter Mode Encryption with authentication Tag"
 * (submission to NIST's lightweight cryptography project, round 2, 2019), section 2; same
 * names.
 *
 * "cipher.h" gives COMET_BLOCK, the bytes of a block, 16 or 8, and comet_encrypt; "domain.h" gives
 * MESSAGE_BYTE, the byte of Z that receives the message's domain.
 */
#include "aead_state.h"
#include "api.h"
#include "bytes.h"
#include "domain.h"
#include "secret.h"

/* Constants for Z: where associated data or a message begins or is padded, and at the end. */
enum {
    AD = 0x08,
    PARTIAL_AD = 0x10,
    MESSAGE = 0x20,
    PARTIAL_MESSAGE = 0x40,
    END = 0x80,
};

enum {
    ABSORB,
    ENCRYPT,
    DECRYPT,
};

const uint16_t aead_state_bytes = sizeof(aead_state);
const uint16_t aead_block_bytes = COMET_BLOCK;

/* Z: its first half is doubled in GF(2^64). Then Y = E_Z(Y). */
static void next(aead_state *state)
{
    uint8_t *const z = state->z;
    const uint8_t carry = (uint8_t)(0 - (z[7] >> 7));

    for (uint8_t i = 7; i != 0; i--) {
        z[i] = (uint8_t)((unsigned)z[i] << 1 | z[i - 1] >> 7);
    }
    z[0] = (uint8_t)((unsigned)z[0] << 1 ^ (carry & 0x1b));
    comet_encrypt(z, state->y);
}

/* The key stream that a block Y gives: its words x0 to x3 as x3, x2 rotated right by a bit, x0, x1.
 */
static void shuffle(uint8_t *stream, const uint8_t *y)
{
    enum { WORD = COMET_BLOCK / 4 };

    for (uint8_t i = 0; i < WORD; i++) {
        const uint8_t above = y[2 * WORD + (i + 1) % WORD];

        stream[i] = y[3 * WORD + i];
        stream[WORD + i] = (uint8_t)(y[2 * WORD + i] >> 1 | (unsigned)above << 7);
        stream[2 * WORD + i] = y[i];
        stream[3 * WORD + i] = y[WORD + i];
    }
}

/* Takes `length` bytes of data or message: output = input ^ key stream, Y += message. */
static void take(aead_state *state, uint8_t *output, const uint8_t *input, size_t length,
                 uint8_t direction)
{
    const uint8_t domain = direction == ABSORB ? AD : MESSAGE;
    const uint8_t partial = direction == ABSORB ? PARTIAL_AD : PARTIAL_MESSAGE;
    uint8_t stream[COMET_BLOCK];

    if (length != 0 && !(state->begun & domain)) {
        state->z[domain == AD ? 15 : MESSAGE_BYTE] ^= domain;
        state->begun |= domain;
    }
    while (length != 0) {
        const uint8_t n = length < COMET_BLOCK ? (uint8_t)length : COMET_BLOCK;

        if (n != COMET_BLOCK) {
            state->z[15] ^= partial;
        }
        next(state);
        if (direction != ABSORB) {
            shuffle(stream, state->y);
        }
        for (uint8_t i = 0; i < n; i++) {
            uint8_t byte = *input++;

            if (direction != ABSORB) {
                const uint8_t sum = byte ^ stream[i];

                *output++ = sum;
                byte = direction == DECRYPT ? sum : byte;
            }
            state->y[i] ^= byte;
        }
        if (n != COMET_BLOCK) {
            state->y[n] ^= 0x01;
        }
        length -= n;
    }
}

/* COMET-128: Y = K, Z = E_K(N). COMET-64: Y = E_K(0), Z = K + (N || 0). */
void aead_init(aead_state *state, const uint8_t *key, const uint8_t *nonce)
{
#if COMET_BLOCK == 16
    copy_bytes(state->y, key, 16);
    copy_bytes(state->z, nonce, 16);
    comet_encrypt(key, state->z);
#else
    zero_bytes(state->y, 8);
    comet_encrypt(key, state->y);
    for (uint8_t i = 0; i < 15; i++) {
        state->z[i] = key[i] ^ nonce[i];
    }
    state->z[15] = key[15];
#endif
    state->begun = 0;
}

void aead_ad(aead_state *state, const uint8_t *ad, size_t length)
{
    take(state, NULL, ad, length, ABSORB);
}

void aead_encrypt(aead_state *state, uint8_t *ciphertext, const uint8_t *plaintext, size_t length)
{
    take(state, ciphertext, plaintext, length, ENCRYPT);
}

void aead_decrypt(aead_state *state, uint8_t *plaintext, const uint8_t *ciphertext, size_t length)
{
    take(state, plaintext, ciphertext, length, DECRYPT);
}

void aead_finalize(aead_state *state)
{
    state->z[15] ^= END;
    next(state);
}

/* T = Y. */
void aead_tag(const aead_state *state, uint8_t *tag)
{
    copy_bytes(tag, state->y, CRYPTO_ABYTES);
}

int aead_verify(const aead_state *state, const uint8_t *tag)
{
    return compare_constant_time(state->y, tag, CRYPTO_ABYTES);
}
