/*
 * Xoodyak's authenticated encryption: Cyclist in keyed mode.
 *
 * References: J. Daemen et al., "Xoodyak, a lightweight cryptographic scheme" (v2, 2021), the mode
 * Cyclist and its use for authenticated encryption; same names.
 *
 * Up() permutes, Down() adds a block to the state. Both may add a domain separator to the state's
 * last byte.
 */
#include "aead_state.h"
#include "api.h"
#include "blocks.h"
#include "secret.h"

/* R_kin, for associated data, and R_kout, for the message. All calls of a kind except the last end
 * with a block: at multiples of both. */
enum { RATE_AD = 44, RATE_MESSAGE = 24 };

const uint16_t aead_state_bytes = sizeof(aead_state);
const uint16_t aead_block_bytes = 11 * RATE_MESSAGE;

/* The bytes of domain separation: of Down() for key and associated data, of Up() for message and
 * tag. */
enum { DOMAIN_KEY = 0x02, DOMAIN_AD = 0x03, DOMAIN_MESSAGE = 0x80, DOMAIN_TAG = 0x40 };

/* Adds a byte of domain separation to the last byte of the state. */
static void separate(aead_state *state, uint8_t domain)
{
    state->s.bytes[XOODOO_BYTES - 1] ^= domain;
}

/* Up() before a block of associated data or message, with Down()'s constant for the first. */
static void up(aead_state *state, uint8_t phase)
{
    const uint8_t first = state->phase != phase;

    if (first && phase == XOODYAK_PHASE_MESSAGE) {
        separate(state, DOMAIN_MESSAGE);
    }
    xoodoo_permute(&state->s);
    if (first && phase == XOODYAK_PHASE_AD) {
        separate(state, DOMAIN_AD);
    }
    state->phase = phase;
}

/* Processes `length` bytes, or an empty block if there are none. */
static void take(aead_state *state, uint8_t *output, const uint8_t *input, size_t length,
                 uint8_t phase, uint8_t direction)
{
    const uint8_t rate = phase == XOODYAK_PHASE_AD ? RATE_AD : RATE_MESSAGE;

    for (;;) {
#if XOODYAK_NATIVE_BLOCKS
        if (length >= rate && (phase == XOODYAK_PHASE_MESSAGE || state->phase == phase)) {
            const size_t blocks = length / rate;

            if (state->phase != phase) {
                separate(state, DOMAIN_MESSAGE);
                state->phase = phase;
            }
            if (phase == XOODYAK_PHASE_AD) {
                xoodyak_absorb_44(&state->s, NULL, input, blocks);
            } else if (direction == XOODOO_ENCRYPT) {
                xoodyak_encrypt_24(&state->s, output, input, blocks);
            } else {
                xoodyak_decrypt_24(&state->s, output, input, blocks);
            }
            if (direction != XOODOO_ABSORB) {
                output += blocks * rate;
            }
            input += blocks * rate;
            length -= blocks * rate;
            if (length == 0) {
                break;
            }
        }
#endif
        const uint8_t n = length < rate ? (uint8_t)length : rate;

        up(state, phase);
        xoodoo_take(&state->s, output, input, n, direction);
        state->s.bytes[n] ^= 1;
        length -= n;
        if (length == 0) {
            break; /* before the pointers advance, which may be null if `length` is 0 */
        }
        if (direction != XOODOO_ABSORB) {
            output += n;
        }
        input += n;
    }
}

/* Initialize(K, ID, counter), with the nonce as ID and no counter: AbsorbKey(). */
void aead_init(aead_state *state, const uint8_t *key, const uint8_t *nonce)
{
    for (uint8_t i = 0; i < XOODOO_BYTES / sizeof(unit); i++) {
        state->s.units[i] = 0;
    }
    for (uint8_t i = 0; i < CRYPTO_KEYBYTES / sizeof(unit); i++) {
        state->s.units[i] = load_unit(key + i * sizeof(unit));
        state->s.units[CRYPTO_KEYBYTES / sizeof(unit) + i] = load_unit(nonce + i * sizeof(unit));
    }
    state->s.bytes[CRYPTO_KEYBYTES + CRYPTO_NPUBBYTES] = CRYPTO_NPUBBYTES;
    state->s.bytes[CRYPTO_KEYBYTES + CRYPTO_NPUBBYTES + 1] = 1;
    separate(state, DOMAIN_KEY);
    state->phase = XOODYAK_PHASE_KEY;
}

/* Absorb(A). */
void aead_ad(aead_state *state, const uint8_t *ad, size_t length)
{
    if (length != 0) {
        take(state, NULL, ad, length, XOODYAK_PHASE_AD, XOODOO_ABSORB);
    }
}

/* Ends the associated data, with at least one empty block. */
static void end_ad(aead_state *state)
{
    if (state->phase == XOODYAK_PHASE_KEY) {
        take(state, NULL, NULL, 0, XOODYAK_PHASE_AD, XOODOO_ABSORB);
    }
}

/* Processes `length` bytes of the message. */
static void take_message(aead_state *state, uint8_t *output, const uint8_t *input, size_t length,
                         uint8_t direction)
{
    end_ad(state);
    if (length != 0) {
        take(state, output, input, length, XOODYAK_PHASE_MESSAGE, direction);
    }
}

/* Encrypt(P). */
void aead_encrypt(aead_state *state, uint8_t *ciphertext, const uint8_t *plaintext, size_t length)
{
    take_message(state, ciphertext, plaintext, length, XOODOO_ENCRYPT);
}

/* Decrypt(C). */
void aead_decrypt(aead_state *state, uint8_t *plaintext, const uint8_t *ciphertext, size_t length)
{
    take_message(state, plaintext, ciphertext, length, XOODOO_DECRYPT);
}

/* Squeeze(), after at least an empty block of the message. */
void aead_finalize(aead_state *state)
{
    end_ad(state);
    if (state->phase == XOODYAK_PHASE_AD) {
        take(state, NULL, NULL, 0, XOODYAK_PHASE_MESSAGE, XOODOO_ABSORB);
    }
    separate(state, DOMAIN_TAG);
    xoodoo_permute(&state->s);
}

void aead_tag(const aead_state *state, uint8_t *tag)
{
    for (uint8_t i = 0; i < CRYPTO_ABYTES / sizeof(unit); i++) {
        store_unit(tag + i * sizeof(unit), state->s.units[i]);
    }
}

int aead_verify(const aead_state *state, const uint8_t *tag)
{
    return compare_constant_time(state->s.bytes, tag, CRYPTO_ABYTES);
}
