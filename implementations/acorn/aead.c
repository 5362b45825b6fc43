/*
 * ACORN-128, version 3.
 *
 * References: H. Wu, "ACORN: A Lightweight Authenticated Cipher (v3)" (2016), sections 1.3.3 to
 * 1.3.6; same names.
 *
 * "acorn.h" and "state.h" are the representation that the implementation chose.
 */
#include "aead_state.h"

#include "acorn.h"
#include "bytes.h"
#include "secret.h"

const uint16_t aead_state_bytes = sizeof(aead_state);
const uint16_t aead_block_bytes = ACORN_WORDS ? 4 : 1;

#define BOTH (ACORN_CA | ACORN_CB)

/* The unit of work: its size in bytes, how to read and write it, and its steps. */
#if ACORN_WORDS
typedef uint32_t chunk;
#define LOAD load32_le
#define STORE store32_le
#define STEPS acorn_steps_32
#else
typedef uint8_t chunk;
#define LOAD(p) (*(p))
#define STORE(p, x) ((void)(*(p) = (x)))
#define STEPS acorn_steps_8
#endif

/* Feeds `length` bytes of input into the state; the output, if not NULL, is the input XOR the key
 * stream. */
static void feed(acorn_state *state, uint8_t *output, const uint8_t *input, size_t length,
                 acorn_control control)
{
#if ACORN_WORDS
    for (; length >= 4; length -= 4) {
        const uint32_t in = load32_le(input);
        const uint32_t ks = acorn_steps_32(state, in, control);

        input += 4;
        if (output != NULL) {
            store32_le(output, in ^ ks);
            output += 4;
        }
    }
#endif
    for (; length != 0; length--) {
        const uint8_t in = *input++;
        const uint8_t ks = acorn_steps_8(state, in, control);

        if (output != NULL) {
            *output++ = in ^ ks;
        }
    }
}

/* Ends the associated data or the message: a one, 255 zeros; ca is 0 in the second half. */
static void pad(acorn_state *state, acorn_control cb)
{
    chunk in = 1;

    for (uint8_t i = 0; i < 32; i = (uint8_t)(i + sizeof(chunk))) {
        (void)STEPS(state, in, i < 16 ? (acorn_control)(cb | ACORN_CA) : cb);
        in = 0;
    }
}

/* 1792 steps: the key, the initialization vector, and the key 12 more times, with its first bit
 * inverted the first time. */
void aead_init(aead_state *state, const uint8_t *key, const uint8_t *nonce)
{
    wipe(&state->acorn, sizeof state->acorn);
    for (uint8_t i = 0; i < 14 * 16; i = (uint8_t)(i + sizeof(chunk))) {
        const uint8_t *const from = (i & 0xf0) == 16 ? nonce : key;

        chunk in = LOAD(from + (i & 15));

        if (i == 32) {
            in ^= 1;
        }
        (void)STEPS(&state->acorn, in, BOTH);
    }
    state->message = 0;
}

void aead_ad(aead_state *state, const uint8_t *ad, size_t length)
{
    feed(&state->acorn, NULL, ad, length, BOTH);
}

/* Ends the associated data unless already ended. */
static void end_ad(aead_state *state)
{
    if (!state->message) {
        pad(&state->acorn, ACORN_CB);
        state->message = 1;
    }
}

void aead_encrypt(aead_state *state, uint8_t *ciphertext, const uint8_t *plaintext, size_t length)
{
    end_ad(state);
    feed(&state->acorn, ciphertext, plaintext, length, ACORN_CA);
}

void aead_decrypt(aead_state *state, uint8_t *plaintext, const uint8_t *ciphertext, size_t length)
{
    end_ad(state);
    feed(&state->acorn, plaintext, ciphertext, length, ACORN_CA | ACORN_DECRYPT);
}

/* 768 steps, of which the last 128 bits of key stream are the tag: six times 128 bits, each
 * overwriting the previous ones. */
void aead_finalize(aead_state *state)
{
    end_ad(state);
    pad(&state->acorn, 0);
    for (uint8_t i = 0; i < 6 * 16; i = (uint8_t)(i + sizeof(chunk))) {
        STORE(state->tag + (i & 15), STEPS(&state->acorn, 0, BOTH));
    }
}

void aead_tag(const aead_state *state, uint8_t *tag)
{
    copy_bytes(tag, state->tag, 16);
}

int aead_verify(const aead_state *state, const uint8_t *tag)
{
    return compare_constant_time(state->tag, tag, 16);
}
