/*
 * TinyJAMBU's mode, for all variants and representations of the state.
 *
 * References: H. Wu, T. Huang, "TinyJAMBU" (Version 2, 2021), sections 3.2.2 and 3.3 to 3.5; same
 * names.
 *
 * "variant.h" belongs to the variant, "permutation.h" and its headers to the representation.
 */
#include "aead_state.h"
#include "api.h"
#include "secret.h"

const uint16_t aead_state_bytes = sizeof(aead_state);
const uint16_t aead_block_bytes = TINYJAMBU_RATE;

/* FrameBits: bits 36 to 38 of the state, in its byte 4. */
enum {
    FRAME_NONCE = 0x10,
    FRAME_AD = 0x30,
    FRAME_MESSAGE = 0x50,
    FRAME_FINALIZATION = 0x70,
};

/* Adds frame bits and permutes. */
static void advance(aead_state *state, uint8_t frame, uint8_t steps)
{
    state->s.bytes[4] ^= frame;
    tinyjambu_permute(&state->s, &state->key, steps);
}

/* Processes `length` bytes of input. */
static void duplex(aead_state *state, uint8_t *output, const uint8_t *input, size_t length,
                   uint8_t frame, uint8_t direction)
{
    const uint8_t steps = frame == FRAME_MESSAGE ? TINYJAMBU_LONG : TINYJAMBU_SHORT;

    while (length != 0) {
        const uint8_t n = length < TINYJAMBU_RATE ? (uint8_t)length : TINYJAMBU_RATE;

        advance(state, frame, steps);
        tinyjambu_take(&state->s, output, input, n, direction);
        if (direction != TINYJAMBU_ABSORB) {
            output += n;
        }
        input += n;
        length -= n;
    }
}

/* The initialization: key setup and nonce setup. */
void aead_init(aead_state *state, const uint8_t *key, const uint8_t *nonce)
{
    tinyjambu_set_key(&state->key, key);
    for (uint8_t i = 0; i < sizeof state->s; i++) {
        state->s.bytes[i] = 0;
    }
    tinyjambu_permute(&state->s, &state->key, TINYJAMBU_LONG);
    duplex(state, NULL, nonce, CRYPTO_NPUBBYTES, FRAME_NONCE, TINYJAMBU_ABSORB);
}

/* Processing the associated data. */
void aead_ad(aead_state *state, const uint8_t *ad, size_t length)
{
    duplex(state, NULL, ad, length, FRAME_AD, TINYJAMBU_ABSORB);
}

/* The encryption. */
void aead_encrypt(aead_state *state, uint8_t *ciphertext, const uint8_t *plaintext, size_t length)
{
    duplex(state, ciphertext, plaintext, length, FRAME_MESSAGE, TINYJAMBU_ENCRYPT);
}

/* The decryption. */
void aead_decrypt(aead_state *state, uint8_t *plaintext, const uint8_t *ciphertext, size_t length)
{
    duplex(state, plaintext, ciphertext, length, FRAME_MESSAGE, TINYJAMBU_DECRYPT);
}

/* The finalization. It leaves the halves of the tag in bytes 4 to 7 and 8 to 11 of the state. */
void aead_finalize(aead_state *state)
{
    uint8_t half[4];

    advance(state, FRAME_FINALIZATION, TINYJAMBU_LONG);
    for (uint8_t i = 0; i < 4; i++) {
        half[i] = state->s.bytes[8 + i];
    }
    advance(state, FRAME_FINALIZATION, TINYJAMBU_SHORT);
    for (uint8_t i = 0; i < 4; i++) {
        state->s.bytes[4 + i] = half[i];
    }
}

void aead_tag(const aead_state *state, uint8_t *tag)
{
    for (uint8_t i = 0; i < CRYPTO_ABYTES; i++) {
        tag[i] = state->s.bytes[4 + i];
    }
}

/* The verification. */
int aead_verify(const aead_state *state, const uint8_t *tag)
{
    return compare_constant_time(state->s.bytes + 4, tag, CRYPTO_ABYTES);
}
