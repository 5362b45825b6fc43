/*
 * SAEAES: the mode SAEB over AES, for all representations of AES.
 *
 * References: Y. Naito, M. Matsui, Y. Sakai, D. Suzuki, K. Sakiyama, T. Sugawara, "SAEAES"
 * (submission to NIST's lightweight cryptography project, round 2, 2019), section 2; Y. Naito, M.
 * Matsui, T. Sugawara, D. Suzuki, "SAEB: A Lightweight Blockcipher-Based AEAD Mode of Operation"
 * (TCHES 2018); same names.
 *
 * "aes.h" is the representation that the implementation chose; "variant.h" gives SAEAES_AD_RATE,
 * the bytes of a block of associated data; message blocks have 8.
 */
#include "aead_state.h"
#include "api.h"
#include "bytes.h"
#include "secret.h"
#include "variant.h"

enum { RATE = 8 };

/* The constants for the last byte of S. */
enum {
    WHOLE = 1,
    PARTIAL = 2,
    NONCE = 3,
};

const uint16_t aead_state_bytes = sizeof(aead_state);
const uint16_t aead_block_bytes = RATE;

/* S = E_K(S). */
static void encrypt(aead_state *state)
{
    aes_encrypt(&state->key, state->s);
    state->taken = 0;
}

/* Ends the associated data or the message. */
static void end(aead_state *state, uint8_t rate)
{
    uint8_t *const s = (uint8_t *)state->s;

    if (state->taken == rate) {
        s[15] ^= WHOLE;
    } else {
        s[state->taken] ^= 0x80;
        s[15] ^= PARTIAL;
    }
    encrypt(state);
}

void aead_init(aead_state *state, const uint8_t *key, const uint8_t *nonce)
{
    aes_expand_key(&state->key, key);
    zero_bytes((uint8_t *)state->s, sizeof state->s);
    copy_bytes(state->nonce, nonce, CRYPTO_NPUBBYTES);
    state->taken = 0;
    state->message = 0;
}

void aead_ad(aead_state *state, const uint8_t *ad, size_t length)
{
    for (; length != 0; length--) {
        if (state->taken == SAEAES_AD_RATE) {
            encrypt(state);
        }
        ((uint8_t *)state->s)[state->taken++] ^= *ad++;
    }
}

/* Ends the associated data and absorbs the nonce. */
static void begin_message(aead_state *state)
{
    if (!state->message) {
        uint8_t *const s = (uint8_t *)state->s;

        end(state, SAEAES_AD_RATE);
        for (uint8_t i = 0; i < CRYPTO_NPUBBYTES; i++) {
            s[i] ^= state->nonce[i];
        }
        s[15] ^= NONCE;
        encrypt(state);
        state->message = 1;
    }
}

/* Encrypts `length` bytes, or decrypts them if `decrypt` is not 0. S absorbs the ciphertext. */
static void crypt(aead_state *state, uint8_t *output, const uint8_t *input, size_t length,
                  uint8_t decrypt)
{
    begin_message(state);
    for (; length != 0; length--) {
        const uint8_t in = *input++;
        uint8_t *s;

        if (state->taken == RATE) {
            encrypt(state);
        }
        s = (uint8_t *)state->s + state->taken++;
        *output++ = *s ^ in;
        *s = decrypt ? in : *s ^ in;
    }
}

void aead_encrypt(aead_state *state, uint8_t *ciphertext, const uint8_t *plaintext, size_t length)
{
    crypt(state, ciphertext, plaintext, length, 0);
}

void aead_decrypt(aead_state *state, uint8_t *plaintext, const uint8_t *ciphertext, size_t length)
{
    crypt(state, plaintext, ciphertext, length, 1);
}

/* The tag is the beginning of S. */
void aead_finalize(aead_state *state)
{
    begin_message(state);
    end(state, RATE);
}

void aead_tag(const aead_state *state, uint8_t *tag)
{
    copy_bytes(tag, (const uint8_t *)state->s, CRYPTO_ABYTES);
}

int aead_verify(const aead_state *state, const uint8_t *tag)
{
    return compare_constant_time((const uint8_t *)state->s, tag, CRYPTO_ABYTES);
}
