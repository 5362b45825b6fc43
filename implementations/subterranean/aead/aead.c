/*
 * Subterranean-SAE.
 *
 * References: J. Daemen, P. M. C. Massolino, A. Mehrdad, Y. Rotella, "The Subterranean 2.0 Cipher
 * Suite" (submission to NIST's lightweight cryptography project, round 2, 2019; ToSC 2020, S1),
 * section 3; same names.
 *
 * Every string is absorbed in blocks of four bytes; the last block is shorter and may be empty.
 */
#include "aead_state.h"
#include "api.h"
#include "bytes.h"
#include "secret.h"

enum { BLOCK = 4 };

const uint16_t aead_state_bytes = sizeof(aead_state);
const uint16_t aead_block_bytes = BLOCK;

/* n <= 4 bytes as a word. */
static uint32_t load(const uint8_t *bytes, uint8_t n)
{
    uint32_t word = 0;

    while (n-- != 0) {
        word = word << 8 | bytes[n];
    }
    return word;
}

/* Absorbs `length` bytes; a partial last block ends the string. */
static void absorb(aead_state *state, const uint8_t *bytes, size_t length)
{
    for (; length >= BLOCK; length -= BLOCK) {
        subterranean_duplex(&state->x, load32_le(bytes), BLOCK);
        bytes += BLOCK;
    }
    if (length != 0) {
        subterranean_duplex(&state->x, load(bytes, (uint8_t)length), (uint8_t)length);
        state->ended = 1;
    }
}

/* Ends a string. */
static void end(aead_state *state)
{
    if (!state->ended) {
        subterranean_duplex(&state->x, 0, 0);
    }
    state->ended = 0;
}

void aead_init(aead_state *state, const uint8_t *key, const uint8_t *nonce)
{
    subterranean_init(&state->x);
    state->message = 0;
    state->ended = 0;
    absorb(state, key, CRYPTO_KEYBYTES);
    end(state);
    absorb(state, nonce, CRYPTO_NPUBBYTES);
    end(state);
    subterranean_blank(&state->x);
}

void aead_ad(aead_state *state, const uint8_t *ad, size_t length)
{
    absorb(state, ad, length);
}

/* Ends the associated data unless already ended. */
static void begin_message(aead_state *state)
{
    if (!state->message) {
        end(state);
        state->message = 1;
    }
}

/* Encrypts `length` bytes, or decrypts them if `decrypt` is not 0. The state takes the message. */
static void crypt(aead_state *state, uint8_t *output, const uint8_t *input, size_t length,
                  uint8_t decrypt)
{
    begin_message(state);
    while (length != 0) {
        const uint8_t n = length < BLOCK ? (uint8_t)length : BLOCK;
        const uint32_t in = load(input, n);
        uint32_t out = in ^ subterranean_extract(&state->x);

        if (n != BLOCK) {
            out &= (UINT32_C(1) << 8 * n) - 1;
            state->ended = 1;
        }
        subterranean_duplex(&state->x, decrypt ? out : in, n);
        for (uint8_t i = 0; i < n; i++) {
            *output++ = (uint8_t)out;
            out >>= 8;
        }
        input += n;
        length -= n;
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

void aead_finalize(aead_state *state)
{
    begin_message(state);
    end(state);
    subterranean_blank(&state->x);
    for (uint8_t i = 0; i < CRYPTO_ABYTES; i = (uint8_t)(i + BLOCK)) {
        store32_le(state->tag + i, subterranean_extract(&state->x));
        subterranean_duplex(&state->x, 0, 0);
    }
}

void aead_tag(const aead_state *state, uint8_t *tag)
{
    copy_bytes(tag, state->tag, CRYPTO_ABYTES);
}

int aead_verify(const aead_state *state, const uint8_t *tag)
{
    return compare_constant_time(state->tag, tag, CRYPTO_ABYTES);
}
