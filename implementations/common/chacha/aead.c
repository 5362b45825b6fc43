/*
 * ChaCha20-Poly1305.
 *
 * References: RFC 8439 (2018), sections 2.6 (the one-time key) and 2.8 (the construction); names
 * as there.
 *
 * "poly1305.h" is the representation that the implementation chose.
 */
#include "aead_state.h"
#include "bytes.h"
#include "chacha20.h"
#include "secret.h"

const uint16_t aead_state_bytes = sizeof(aead_state);
const uint16_t aead_block_bytes = 64;

/* Authenticates `data`, and the zero bytes that fill its last block of 16 bytes (pad16). */
static void authenticate(poly1305 *mac, const uint8_t *data, size_t length)
{
    const unsigned rest = length % 16;

    poly1305_blocks(mac, data, length / 16, 1);
    if (rest != 0) {
        uint8_t block[16] = {0};

        for (unsigned i = 0; i < rest; i++) {
            block[i] = data[length - rest + i];
        }
        poly1305_blocks(mac, block, 1, 1);
    }
}

/* poly1305_key_gen: the one-time key is the first half of the block with counter 0. */
void aead_init(aead_state *state, const uint8_t *key, const uint8_t *nonce)
{
    chacha20_stream otk;

    chacha20_init(state->stream, key, nonce);
    chacha20_next(&otk, state->stream);
    poly1305_init(&state->mac, otk.bytes);
    for (uint8_t i = 0; i < 16; i++) {
        state->tag[i] = otk.bytes[16 + i];
    }
    state->ad_bytes = 0;
    state->message_bytes = 0;
}

void aead_ad(aead_state *state, const uint8_t *ad, size_t length)
{
    state->ad_bytes += length;
    authenticate(&state->mac, ad, length);
}

void aead_encrypt(aead_state *state, uint8_t *ciphertext, const uint8_t *plaintext, size_t length)
{
    state->message_bytes += length;
    chacha20_encrypt(state->stream, ciphertext, plaintext, length);
    authenticate(&state->mac, ciphertext, length);
}

void aead_decrypt(aead_state *state, uint8_t *plaintext, const uint8_t *ciphertext, size_t length)
{
    state->message_bytes += length;
    authenticate(&state->mac, ciphertext, length);
    chacha20_encrypt(state->stream, plaintext, ciphertext, length);
}

void aead_finalize(aead_state *state)
{
    uint8_t lengths[16];

    store64_le(lengths, state->ad_bytes);
    store64_le(lengths + 8, state->message_bytes);
    poly1305_blocks(&state->mac, lengths, 1, 1);
    poly1305_finish(&state->mac, state->tag);
}

void aead_tag(const aead_state *state, uint8_t *tag)
{
    for (unsigned i = 0; i < 16; i++) {
        tag[i] = state->tag[i];
    }
}

int aead_verify(const aead_state *state, const uint8_t *tag)
{
    return compare_constant_time(state->tag, tag, 16);
}
