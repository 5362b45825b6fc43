/*
 * Ketje's mode: MonkeyWrap on MonkeyDuplex.
 *
 * References: "CAESAR submission: Ketje v2" (2016), sections 2 to 4 (see aead_state.h).
 *
 * Bytes are added to the state immediately; the end of a block depends on the next input and is
 * added only when that is known.
 */
#include "aead_state.h"

#include "bytes.h"
#include "secret.h"

const uint16_t aead_state_bytes = sizeof(aead_state);
const uint16_t aead_block_bytes = KETJE_BLOCK;

/* Rounds at the start, for a block and before the tag. */
enum { N_START = 12, N_STEP = 1, N_STRIDE = 6 };

/* The two bits that follow a block, and the first bit of padding: after a block of associated
 * data before the last, after the last one, between blocks of the message, and after its last
 * block. */
enum { FRAME_AD = 0x4, FRAME_LAST_AD = 0x6, FRAME_MESSAGE = 0x7, FRAME_END = 0x5 };

/* A step without data: a bit 0 and the first bit of padding. */
enum { FRAME_EMPTY = 0x2 };

/* D.step or D.stride: ends the block with `frame` and the last bit of padding, and permutes. */
static void step(aead_state *state, uint8_t frame, uint8_t rounds)
{
    ketje_add(&state->s, state->taken, frame);
    ketje_add(&state->s, KETJE_BLOCK, 0x08);
    ketje_permute(&state->s, rounds);
    state->taken = 0;
}

/* x + n modulo 5 */
static uint8_t next_column(uint8_t x, uint8_t n)
{
    x = (uint8_t)(x + n);
    return x < 5 ? x : (uint8_t)(x - 5);
}

/* D.start(pad10*1(KeyPack(K, |K| + 16) || N)). */
void aead_init(aead_state *state, const uint8_t *key, const uint8_t *nonce)
{
    uint8_t block[KETJE_BYTES];
    uint8_t *bytes = (uint8_t *)state;
    uint8_t at = 0;

    for (size_t i = 0; i < sizeof *state; i++) {
        bytes[i] = 0;
    }
    block[0] = CRYPTO_KEYBYTES + 2;
    copy_bytes(block + 1, key, CRYPTO_KEYBYTES);
    block[CRYPTO_KEYBYTES + 1] = 1;
    copy_bytes(block + CRYPTO_KEYBYTES + 2, nonce, CRYPTO_NPUBBYTES);
    zero_bytes(block + CRYPTO_KEYBYTES + 2 + CRYPTO_NPUBBYTES,
               KETJE_BYTES - CRYPTO_KEYBYTES - 2 - CRYPTO_NPUBBYTES);
    block[CRYPTO_KEYBYTES + 2 + CRYPTO_NPUBBYTES] = 1;
    block[KETJE_BYTES - 1] ^= 0x80;
    for (uint8_t start = 0; at != KETJE_BYTES; start = next_column(start, 3)) {
        uint8_t column = start;

        /* Pi takes lane (x, y) from lane (x + 3 y, x). */
        for (uint8_t row = 0; row < 25; row = (uint8_t)(row + 5)) {
            ketje_lane *lane = &ketje_lanes(&state->s)[row + column];

            for (uint8_t i = 0; i < KETJE_LANE_BYTES; i++, at++) {
                *lane ^= ketje_lane_with(i, block[at]);
            }
            column = next_column(column, 1);
        }
    }
    ketje_permute(&state->s, N_START);
}

void aead_ad(aead_state *state, const uint8_t *ad, size_t length)
{
    for (; length != 0; length--) {
        if (state->taken == KETJE_BLOCK) {
            step(state, FRAME_AD, N_STEP);
        }
        ketje_add(&state->s, state->taken, *ad++);
        state->taken++;
    }
}

/* Ends the associated data unless the message has begun. */
static void begin_message(aead_state *state)
{
    if (!state->message) {
        step(state, FRAME_LAST_AD, N_STEP);
        state->message = 1;
    }
}

/* Encrypts or decrypts `length` bytes; a full block stays pending until the next input. */
static void take_message(aead_state *state, uint8_t *output, const uint8_t *input, size_t length,
                         uint8_t decrypt)
{
    begin_message(state);
    for (; length != 0; length--) {
        if (state->taken == KETJE_BLOCK) {
            step(state, FRAME_MESSAGE, N_STEP);
        }
        const uint8_t in = *input++;
        const uint8_t out = in ^ ketje_byte(&state->s, state->taken);

        *output++ = out;
        ketje_add(&state->s, state->taken, decrypt ? out : in);
        state->taken++;
    }
}

void aead_encrypt(aead_state *state, uint8_t *ciphertext, const uint8_t *plaintext, size_t length)
{
    take_message(state, ciphertext, plaintext, length, 0);
}

void aead_decrypt(aead_state *state, uint8_t *plaintext, const uint8_t *ciphertext, size_t length)
{
    take_message(state, plaintext, ciphertext, length, 1);
}

void aead_finalize(aead_state *state)
{
    begin_message(state);
    step(state, FRAME_END, N_STRIDE);
    for (uint8_t i = 0; i < CRYPTO_ABYTES; i++) {
        if (i != 0 && i % KETJE_BLOCK == 0) {
            step(state, FRAME_EMPTY, N_STEP);
        }
        state->tag[i] = ketje_byte(&state->s, i % KETJE_BLOCK);
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
