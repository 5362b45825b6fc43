/*
 * TinyJAMBU's mode on a state in shares.
 *
 * References: H. Wu, T. Huang, "TinyJAMBU" (Version 2, 2021), sections 3.2.2 and 3.3 to 3.5, with
 * the same names.
 *
 * The key and the state are shared. Associated data, ciphertext, tag and the message itself are
 * not: a word of ciphertext is the sum of the shares of a word of the state and the message's word.
 */
#include "aead_state.h"
#include "api.h"
#include "bytes.h"
#include "direction.h"
#include "secret.h"

const uint16_t aead_state_bytes = sizeof(aead_state);
const uint16_t aead_block_bytes = TINYJAMBU_RATE;

/* FrameBits: bits 36 to 38 of the state. */
enum {
    FRAME_NONCE = 0x10,
    FRAME_AD = 0x30,
    FRAME_MESSAGE = 0x50,
    FRAME_FINALIZATION = 0x70,
};

/* Adds frame bits and permutes. */
static void advance(aead_state *state, unsigned frame, unsigned steps)
{
    state->s.x[1].share[0] ^= frame;
    masked_permute(&state->s, &state->key, steps);
}

/* Processes `length` bytes of input, 1 to 4: they go to bits 96 and up, the key stream is at bits
 * 64 and up. The length of an incomplete block goes to bits 32 and 33. */
static void take(masked_state *s, uint8_t *output, const uint8_t *input, unsigned length,
                 unsigned direction)
{
    uint8_t block[TINYJAMBU_RATE];

    copy_bytes(block, input, length);
    zero_bytes(block + length, sizeof block - length);
    uint32_t in = load32_le(block);
    if (direction != TINYJAMBU_ABSORB) {
        store32_le(block, masked_word_combine(&s->x[2]) ^ in);
        copy_bytes(output, block, length);
        if (direction == TINYJAMBU_DECRYPT) {
            zero_bytes(block + length, sizeof block - length);
            in = load32_le(block);
        }
    }
    s->x[3].share[0] ^= in;
    s->x[1].share[0] ^= length % TINYJAMBU_RATE;
}

/* Processes `length` bytes of input. */
static void duplex(aead_state *state, uint8_t *output, const uint8_t *input, size_t length,
                   unsigned frame, unsigned direction)
{
    const unsigned steps = frame == FRAME_MESSAGE ? TINYJAMBU_LONG : TINYJAMBU_SHORT;

    while (length != 0) {
        const unsigned n = length < TINYJAMBU_RATE ? (unsigned)length : TINYJAMBU_RATE;

        advance(state, frame, steps);
        take(&state->s, output, input, n, direction);
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
    masked_set_key(&state->key, key);
    for (unsigned i = 0; i < 4; i++) {
        state->s.x[i] = masked_word_public(0);
    }
    masked_permute(&state->s, &state->key, TINYJAMBU_LONG);
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

/* The finalization, which combines the shares of both halves of the tag. */
void aead_finalize(aead_state *state)
{
    advance(state, FRAME_FINALIZATION, TINYJAMBU_LONG);
    state->tag[0] = masked_word_combine(&state->s.x[2]);
    advance(state, FRAME_FINALIZATION, TINYJAMBU_SHORT);
    state->tag[1] = masked_word_combine(&state->s.x[2]);
}

void aead_tag(const aead_state *state, uint8_t *tag)
{
    store32_le(tag, state->tag[0]);
    store32_le(tag + 4, state->tag[1]);
}

/* The verification. */
int aead_verify(const aead_state *state, const uint8_t *tag)
{
    uint8_t expected[CRYPTO_ABYTES];

    aead_tag(state, expected);
    return compare_constant_time(expected, tag, sizeof expected);
}
