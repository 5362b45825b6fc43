/*
 * ACORN-128, version 3.
 *
 * References: H. Wu, "ACORN: A Lightweight Authenticated Cipher (v3)" (2016), sections 1.3.3 to
 * 1.3.6; names as there.
 *
 * "acorn.h" and "state.h" are the representation that the implementation chose.
 */
#include "aead_state.h"

#include "acorn.h"
#include "bytes.h"
#include "secret.h"

const uint16_t aead_state_bytes = sizeof(aead_state);
const uint16_t aead_block_bytes = ACORN_WORDS ? 4 : 1;

static const acorn_control BOTH = {0xff, 0xff, 0};
static const acorn_control ENCRYPT = {0xff, 0, 0};
static const acorn_control DECRYPT = {0xff, 0, 0xff};

/* Feeds `length` bytes of input (none: zeros) into the state; output, if asked for, is their sum
 * with the key stream. */
static void feed(acorn_state *state, uint8_t *output, const uint8_t *input, size_t length,
                 acorn_control control)
{
#if ACORN_WORDS
    for (; length >= 4; length -= 4) {
        const uint32_t in = input != NULL ? load32_le(input) : 0;
        const uint32_t ks = acorn_steps_32(state, in, control);

        if (input != NULL) {
            input += 4;
        }
        if (output != NULL) {
            store32_le(output, in ^ ks);
            output += 4;
        }
    }
#endif
    for (; length != 0; length--) {
        const uint8_t in = input != NULL ? *input++ : 0;
        const uint8_t ks = acorn_steps_8(state, in, control);

        if (output != NULL) {
            *output++ = in ^ ks;
        }
    }
}

/* Ends associated data or message: a one, 255 zeros; cb is as it was, ca is 0 in the second half.
 */
static void pad(acorn_state *state, uint8_t cb)
{
    static const uint8_t ONE[4] = {1};
    acorn_control control = {0xff, 0, 0};

    control.cb = cb;
    feed(state, NULL, ONE, 4, control);
    feed(state, NULL, NULL, 12, control);
    control.ca = 0;
    feed(state, NULL, NULL, 16, control);
}

/* 1792 steps: the key, the initialization vector, and the key again, 12 times, with a one added to
 * its first bit once. */
void aead_init(aead_state *state, const uint8_t *key, const uint8_t *nonce)
{
    acorn_state *const s = &state->acorn;
    uint8_t changed[4];

    wipe(s, sizeof *s);
    feed(s, NULL, key, 16, BOTH);
    feed(s, NULL, nonce, 16, BOTH);
    copy_bytes(changed, key, 4);
    changed[0] ^= 1;
    feed(s, NULL, changed, 4, BOTH);
    feed(s, NULL, key + 4, 12, BOTH);
    for (uint8_t i = 0; i < 11; i++) {
        feed(s, NULL, key, 16, BOTH);
    }
    state->message = 0;
}

void aead_ad(aead_state *state, const uint8_t *ad, size_t length)
{
    feed(&state->acorn, NULL, ad, length, BOTH);
}

/* The associated data has ended, if it had not yet. */
static void end_ad(aead_state *state)
{
    if (!state->message) {
        pad(&state->acorn, 0xff);
        state->message = 1;
    }
}

void aead_encrypt(aead_state *state, uint8_t *ciphertext, const uint8_t *plaintext, size_t length)
{
    end_ad(state);
    feed(&state->acorn, ciphertext, plaintext, length, ENCRYPT);
}

void aead_decrypt(aead_state *state, uint8_t *plaintext, const uint8_t *ciphertext, size_t length)
{
    end_ad(state);
    feed(&state->acorn, plaintext, ciphertext, length, DECRYPT);
}

/* 768 steps, the last 128 bits of whose key stream are the tag. */
void aead_finalize(aead_state *state)
{
    end_ad(state);
    pad(&state->acorn, 0);
    feed(&state->acorn, NULL, NULL, 80, BOTH);
    zero_bytes(state->tag, 16);
    feed(&state->acorn, state->tag, state->tag, 16, BOTH);
}

void aead_tag(const aead_state *state, uint8_t *tag)
{
    copy_bytes(tag, state->tag, 16);
}

int aead_verify(const aead_state *state, const uint8_t *tag)
{
    return compare_constant_time(state->tag, tag, 16);
}
