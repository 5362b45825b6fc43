/*
 * ChaCha20-Poly1305.
 *
 * References: RFC 8439 (2018), sections 2.6 (the one-time key) and 2.8 (the construction); same
 * names.
 *
 * "poly1305.h" is the representation that the implementation chose.
 */
#include "aead_state.h"
#include "bytes.h"
#include "chacha20.h"
#include "secret.h"

const uint16_t aead_state_bytes = sizeof(aead_state);
const uint16_t aead_block_bytes = 64;

/* Authenticates `data`, and the zero bytes that fill its last block of 16 bytes (pad16). Adds its
 * length to `total`. */
static void authenticate(poly1305 *mac, byte_count total, const uint8_t *data, size_t length)
{
    const uint8_t rest = length % 16;
    const uint32_t sum = total[0] + (uint32_t)length;

    total[1] += (uint32_t)((uint64_t)length >> 32) + (sum < total[0]);
    total[0] = sum;
    poly1305_blocks(mac, data, length / 16, 1);
    if (rest != 0) {
        uint8_t block[16];

        zero_bytes(block, 16);
        copy_bytes(block, data + (length - rest), rest);
        poly1305_blocks(mac, block, 1, 1);
    }
}

/* poly1305_key_gen: the one-time key is the first half of the block with counter 0. */
static void begin(aead_state *state)
{
    chacha20_stream otk;

    chacha20_next(&otk, state->stream);
    poly1305_init(&state->mac, otk.bytes);
    copy_bytes(state->tag, otk.bytes + 16, 16);
    for (uint8_t i = 0; i < 2; i++) {
        state->ad_bytes[i] = 0;
        state->message_bytes[i] = 0;
    }
}

void aead_init(aead_state *state, const uint8_t *key, const uint8_t *nonce)
{
    chacha20_init(state->stream, key, nonce);
    begin(state);
}

/* The words that depend on the key; those of the nonce are set when a message starts. */
void aead_set_key(aead_state *state, const uint8_t *key)
{
    chacha20_init(state->stream, key, key);
}

void aead_start(aead_state *state, const uint8_t *nonce)
{
    chacha20_set_nonce(state->stream, nonce);
    begin(state);
}

void aead_ad(aead_state *state, const uint8_t *ad, size_t length)
{
    authenticate(&state->mac, state->ad_bytes, ad, length);
}

void aead_encrypt(aead_state *state, uint8_t *ciphertext, const uint8_t *plaintext, size_t length)
{
    chacha20_encrypt(state->stream, ciphertext, plaintext, length);
    authenticate(&state->mac, state->message_bytes, ciphertext, length);
}

void aead_decrypt(aead_state *state, uint8_t *plaintext, const uint8_t *ciphertext, size_t length)
{
    authenticate(&state->mac, state->message_bytes, ciphertext, length);
    chacha20_encrypt(state->stream, plaintext, ciphertext, length);
}

void aead_finalize(aead_state *state)
{
    uint8_t lengths[16];

    for (uint8_t i = 0; i < 2; i++) {
        store32_le(lengths + 4 * i, state->ad_bytes[i]);
        store32_le(lengths + 8 + 4 * i, state->message_bytes[i]);
    }
    poly1305_blocks(&state->mac, lengths, 1, 1);
    poly1305_finish(&state->mac, state->tag);
}

void aead_tag(const aead_state *state, uint8_t *tag)
{
    copy_bytes(tag, state->tag, 16);
}

int aead_verify(const aead_state *state, const uint8_t *tag)
{
    return compare_constant_time(state->tag, tag, 16);
}
