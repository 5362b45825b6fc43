/*
 * mixFeed, for all representations of AES.
 *
 * References: B. Chakraborty, M. Nandi, "mixFeed" (submission to NIST's lightweight cryptography
 * project, round 2, 2019), section 2; same names.
 *
 * Every block has its own key: the one that AES's key schedule would make after the last round key
 * of the block before. The last round of AES has MixColumns here.
 */
#include "aead_state.h"
#include "api.h"
#include "bytes.h"
#include "secret.h"

/* The phase that has begun. */
enum {
    NONCE,
    AD,
    MESSAGE,
};

enum {
    ABSORB,
    ENCRYPT,
    DECRYPT,
};

/* Constants for the first byte of the nonce, and for Y at the end of data or message. */
enum {
    NO_AD = 0x01,
    NOTHING = 0x02,
    END_AD = 0x04,
    END_MESSAGE = 0x0d,
    LAST = 0x08,
    PARTIAL = 0x02,
};

const uint16_t aead_state_bytes = sizeof(aead_state);
const uint16_t aead_block_bytes = 16;

/* Y = E_K(Y), and K becomes the next key. */
static void encrypt(aead_state *state)
{
    aes_key schedule;

    aes_expand_key(&schedule, state->key);
    aes_encrypt_whole(&schedule, state->y, AES_NR);
    aes_next_key(state->key, &schedule);
}

/* Absorbs the nonce: K_N = E_K(N), Y = E_{K_N}(N). */
static void begin(aead_state *state, uint8_t control)
{
    uint8_t *const y = (uint8_t *)state->y;
    uint8_t nonce[16];

    y[0] = control;
    copy_bytes(nonce, y, 16);
    encrypt(state);
    if (control != NOTHING) {
        copy_bytes(state->key, y, 16);
        copy_bytes(y, nonce, 16);
        encrypt(state);
    }
}

/* Takes n bytes: Y's first half += message, the second half becomes the message. */
static void take(aead_state *state, uint8_t *output, const uint8_t *input, uint8_t n,
                 uint8_t direction)
{
    uint8_t *const y = (uint8_t *)state->y;

    for (uint8_t i = 0; i < n; i++) {
        const uint8_t in = input[i];
        const uint8_t sum = in ^ y[i];
        const uint8_t message = direction == DECRYPT ? sum : in;

        y[i] = i < 8 ? y[i] ^ message : message;
        if (direction != ABSORB) {
            output[i] = sum;
        }
    }
    if (n != 16) {
        y[n] ^= 0x01;
    }
    encrypt(state);
    state->taken = n;
}

/* Ends the associated data or the message. */
static void end(aead_state *state, uint8_t control)
{
    if (state->taken != 16) {
        control |= PARTIAL;
    }
    ((uint8_t *)state->y)[0] ^= control;
    encrypt(state);
}

void aead_init(aead_state *state, const uint8_t *key, const uint8_t *nonce)
{
    zero_bytes((uint8_t *)state->y, sizeof state->y);
    copy_bytes((uint8_t *)state->y + 1, nonce, CRYPTO_NPUBBYTES);
    copy_bytes(state->key, key, 16);
    state->phase = NONCE;
}

void aead_ad(aead_state *state, const uint8_t *ad, size_t length)
{
    while (length != 0) {
        const uint8_t n = length < 16 ? (uint8_t)length : 16;

        if (state->phase == NONCE) {
            begin(state, 0);
            state->phase = AD;
        }
        take(state, NULL, ad, n, ABSORB);
        ad += n;
        length -= n;
    }
}

/* Encrypts or decrypts `length` bytes. */
static void take_message(aead_state *state, uint8_t *output, const uint8_t *input, size_t length,
                         uint8_t direction)
{
    while (length != 0) {
        const uint8_t n = length < 16 ? (uint8_t)length : 16;

        if (state->phase == NONCE) {
            begin(state, NO_AD);
        } else if (state->phase == AD) {
            end(state, END_AD);
        }
        state->phase = MESSAGE;
        take(state, output, input, n, direction);
        output += n;
        input += n;
        length -= n;
    }
}

void aead_encrypt(aead_state *state, uint8_t *ciphertext, const uint8_t *plaintext, size_t length)
{
    take_message(state, ciphertext, plaintext, length, ENCRYPT);
}

void aead_decrypt(aead_state *state, uint8_t *plaintext, const uint8_t *ciphertext, size_t length)
{
    take_message(state, plaintext, ciphertext, length, DECRYPT);
}

/* The tag is Y. */
void aead_finalize(aead_state *state)
{
    if (state->phase == NONCE) {
        begin(state, NOTHING);
    } else {
        end(state, state->phase == AD ? END_AD | LAST : END_MESSAGE);
    }
}

void aead_tag(const aead_state *state, uint8_t *tag)
{
    copy_bytes(tag, (const uint8_t *)state->y, CRYPTO_ABYTES);
}

int aead_verify(const aead_state *state, const uint8_t *tag)
{
    return compare_constant_time((const uint8_t *)state->y, tag, CRYPTO_ABYTES);
}
