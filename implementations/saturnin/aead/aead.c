/*
 * SATURNIN-CTR-Cascade.
 *
 * References: A. Canteaut, S. Duval, G. Leurent, M. Naya-Plasencia, L. Perrin, T. Pornin, A.
 * Schrottenloher, "Saturnin" (submission to NIST's lightweight cryptography project, round 2,
 * 2019), section 2; same names.
 */
#include "aead_state.h"
#include "api.h"
#include "bytes.h"
#include "secret.h"

enum { ROUNDS = 10 };

/* Domains of the cipher. The cascade uses the next value for its last block. */
enum {
    STREAM = 1,
    AD = 2,
    MESSAGE = 4,
};

const uint16_t aead_state_bytes = sizeof(aead_state);
const uint16_t aead_block_bytes = SATURNIN_BYTES;

/* The cascade absorbs n bytes. */
static void absorb(aead_state *state, const uint8_t *bytes, size_t n, uint8_t domain)
{
    for (; n != 0; n--) {
        state->block[state->taken++] = *bytes++;
        if (state->taken == SATURNIN_BYTES) {
            saturnin_compress(state->cascade, state->block, ROUNDS, domain);
            state->taken = 0;
        }
    }
}

/* Ends associated data or message: the last block is padded and never full. */
static void end(aead_state *state, uint8_t domain)
{
    state->block[state->taken] = 0x80;
    zero_bytes(state->block + state->taken + 1, (size_t)(SATURNIN_BYTES - 1 - state->taken));
    saturnin_compress(state->cascade, state->block, ROUNDS, (uint8_t)(domain + 1));
    state->taken = 0;
}

/* The nonce and a counter as a block. */
static void set_counter(uint8_t *block, const uint8_t *nonce, uint32_t counter)
{
    copy_bytes(block, nonce, 16);
    zero_bytes(block + 16, 12);
    block[16] = 0x80;
    store32_be(block + 28, counter);
}

void aead_init(aead_state *state, const uint8_t *key, const uint8_t *nonce)
{
    copy_bytes(state->key, key, 32);
    copy_bytes(state->nonce, nonce, 16);
    copy_bytes(state->cascade, key, 32);
    set_counter(state->block, nonce, 0);
    saturnin_compress(state->cascade, state->block, ROUNDS, AD);
    state->taken = 0;
    state->message = 0;
    state->counter = 1;
}

void aead_ad(aead_state *state, const uint8_t *ad, size_t length)
{
    absorb(state, ad, length, AD);
}

/* Ends the associated data unless already ended. */
static void begin_message(aead_state *state)
{
    if (!state->message) {
        end(state, AD);
        state->message = 1;
    }
}

/* Encrypts or decrypts `length` bytes. The cascade absorbs the ciphertext. */
static void crypt(aead_state *state, uint8_t *output, const uint8_t *input, size_t length,
                  uint8_t decrypt)
{
    begin_message(state);
    while (length != 0) {
        const uint8_t n = length < SATURNIN_BYTES ? (uint8_t)length : SATURNIN_BYTES;
        uint8_t stream[SATURNIN_BYTES];

        set_counter(stream, state->nonce, state->counter++);
        saturnin_encrypt(stream, state->key, ROUNDS, STREAM);
        if (decrypt) {
            absorb(state, input, n, MESSAGE);
        }
        for (uint8_t i = 0; i < n; i++) {
            output[i] = input[i] ^ stream[i];
        }
        if (!decrypt) {
            absorb(state, output, n, MESSAGE);
        }
        input += n;
        output += n;
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
    end(state, MESSAGE);
}

void aead_tag(const aead_state *state, uint8_t *tag)
{
    copy_bytes(tag, state->cascade, CRYPTO_ABYTES);
}

int aead_verify(const aead_state *state, const uint8_t *tag)
{
    return compare_constant_time(state->cascade, tag, CRYPTO_ABYTES);
}
