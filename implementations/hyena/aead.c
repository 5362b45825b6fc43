/*
 * HyENA, for all representations of GIFT-128.
 *
 * References: A. Chakraborti, N. Datta, A. Jha, M. Nandi, "HyENA" (submission to
 * NIST's lightweight cryptography project, round 2, 2019), section 2; A. Chakraborti, N. Datta, A.
 * Jha, S. Mitragotri, M. Nandi, "From Combined to Hybrid: Making Feedback-based AE even Smaller"
 * (ToSC 2020, S1), for version 2; same names.
 *
 * The mask of a block depends on whether it is the last: it is added once that is known; until
 * then, `taken` is the block's length. "variant.h" defines the differences between the versions.
 */
#include "aead_state.h"
#include "api.h"
#include "bytes.h"
#include "nibbles.h"
#include "secret.h"
#include "variant.h"

enum {
    ABSORB,
    ENCRYPT,
    DECRYPT,
};

const uint16_t aead_state_bytes = sizeof(aead_state);
const uint16_t aead_block_bytes = 16;

/* Y = E_K(Y). */
static void encrypt(aead_state *state)
{
    gift128_state block;

    gift128n_load(&block, state->y);
    gift128_encrypt(&block, &state->key);
    gift128n_store(state->y, &block);
}

/* Delta = 2 Delta in GF(2^64), plus Delta if `add` is 0xff instead of 0. */
static void multiply(uint8_t delta[8], uint8_t add)
{
    const uint8_t carry = (uint8_t)(0 - (delta[0] >> 7));

    for (uint8_t i = 0; i < 8; i++) {
        const uint8_t next = i == 7 ? 0 : delta[i + 1];

        delta[i] = (uint8_t)((delta[i] & add) ^ (delta[i] << 1 | next >> 7));
    }
    delta[7] = (uint8_t)(delta[7] ^ (carry & 0x1b));
}

/* Adds Delta, the mask of the last block, to Y's second half. */
static void add_mask(aead_state *state)
{
    for (uint8_t i = 0; i < HYENA_DELTA_BYTES; i++) {
        state->y[8 + i] ^= state->delta[i];
    }
    state->taken = HYENA_NONE;
}

/* Encrypts the nonce, beginning with `control`. */
static void begin(aead_state *state, uint8_t control)
{
    state->y[0] = control;
    encrypt(state);
    copy_bytes(state->delta, state->y + 8, 8);
}

/* Ends the associated data or the message: in version 1, Delta is multiplied by 4, in version 2 by
 * 3, and after a partial block again by 2 or 3. */
static void end(aead_state *state)
{
    const uint8_t add = HYENA_VERSION == 1 ? 0 : 0xff;

    if (HYENA_VERSION == 1) {
        multiply(state->delta, 0);
    }
    multiply(state->delta, add);
    if (state->taken != 16) {
        multiply(state->delta, add);
        state->y[state->taken] ^= 0x01;
    }
    add_mask(state);
}

/* The previous block, if any, was not the last: Delta is doubled. */
static void go_on(aead_state *state)
{
    if (state->taken != HYENA_NONE) {
        multiply(state->delta, 0);
        add_mask(state);
    }
}

/* Processes a block of n bytes: Y's first half += message, the second half becomes the message. */
static void take(aead_state *state, uint8_t *output, const uint8_t *input, uint8_t n,
                 uint8_t direction)
{
    for (uint8_t i = 0; i < n; i++) {
        const uint8_t in = input[i];
        const uint8_t sum = in ^ state->y[i];
        const uint8_t message = direction == DECRYPT ? sum : in;

        state->y[i] = i < 8 ? state->y[i] ^ message : message;
        if (direction != ABSORB) {
            output[i] = sum;
        }
    }
    state->taken = n;
}

void aead_init(aead_state *state, const uint8_t *key, const uint8_t *nonce)
{
    gift128n_set_key(&state->key, key);
    zero_bytes(state->y, 4);
    copy_bytes(state->y + 4, nonce, 12);
    state->message = 0;
    state->taken = HYENA_NONE;
}

void aead_ad(aead_state *state, const uint8_t *ad, size_t length)
{
    while (length != 0) {
        const uint8_t n = length < 16 ? (uint8_t)length : 16;

        if (state->taken == HYENA_NONE) {
            begin(state, 0);
        } else {
            go_on(state);
            encrypt(state);
        }
        take(state, NULL, ad, n, ABSORB);
        ad += n;
        length -= n;
    }
}

/* Ends the associated data; if it is empty, first encrypts the nonce. */
static void begin_message(aead_state *state, uint8_t control)
{
    if (!state->message) {
        if (state->taken == HYENA_NONE) {
            begin(state, control);
            state->taken = 0;
        }
        end(state);
        state->message = 1;
    }
}

/* Encrypts or decrypts `length` bytes. */
static void crypt(aead_state *state, uint8_t *output, const uint8_t *input, size_t length,
                  uint8_t direction)
{
    while (length != 0) {
        const uint8_t n = length < 16 ? (uint8_t)length : 16;

        begin_message(state, 1);
        go_on(state);
        encrypt(state);
        take(state, output, input, n, direction);
        output += n;
        input += n;
        length -= n;
    }
}

void aead_encrypt(aead_state *state, uint8_t *ciphertext, const uint8_t *plaintext, size_t length)
{
    crypt(state, ciphertext, plaintext, length, ENCRYPT);
}

void aead_decrypt(aead_state *state, uint8_t *plaintext, const uint8_t *ciphertext, size_t length)
{
    crypt(state, plaintext, ciphertext, length, DECRYPT);
}

/* T = E_K of Y with its halves exchanged. */
void aead_finalize(aead_state *state)
{
    begin_message(state, 3);
    if (state->taken != HYENA_NONE) {
        end(state);
    }
    for (uint8_t i = 0; i < 8; i++) {
        const uint8_t byte = state->y[i];

        state->y[i] = state->y[8 + i];
        state->y[8 + i] = byte;
    }
    encrypt(state);
}

void aead_tag(const aead_state *state, uint8_t *tag)
{
    copy_bytes(tag, state->y, CRYPTO_ABYTES);
}

int aead_verify(const aead_state *state, const uint8_t *tag)
{
    return compare_constant_time(state->y, tag, CRYPTO_ABYTES);
}
