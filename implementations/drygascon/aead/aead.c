/*
 * DryGASCON, for all members and sizes of keys.
 *
 * References: S. Riou, "DryGASCON" (submission to NIST's lightweight cryptography project, round 2,
 * 2019), sections 2 and 3; same names.
 *
 * The last block of nonce, associated data and message is marked, so a block stays pending until it
 * is known whether more follows.
 */
#include "aead_state.h"
#include "bytes.h"
#include "secret.h"

const uint16_t aead_state_bytes = sizeof(aead_state);
const uint16_t aead_block_bytes = DRYGASCON_BLOCK;

/* Processes the pending block. */
static void flush(aead_state *state, uint8_t domain)
{
    drygascon_take(&state->s, state->block, domain, state->rounds);
    state->rounds = DRYGASCON_ROUNDS;
}

/* Processes the pending block, because one of the given kind follows. If its own kind differs, it
 * is the last of that kind. */
static void make_way(aead_state *state, uint8_t kind)
{
    const uint8_t before = state->domain & (uint8_t)~1U;

    flush(state, before == kind ? 0 : state->domain);
}

/* Makes n bytes the pending block, padded if it is partial. */
static void wait(aead_state *state, const uint8_t *bytes, uint8_t n, uint8_t kind)
{
    copy_bytes(state->block, bytes, n);
    state->domain = kind;
    if (n != DRYGASCON_BLOCK) {
        state->block[n] = 0x01;
        zero_bytes(state->block + n + 1, (size_t)(DRYGASCON_BLOCK - 1 - n));
        state->domain = kind | 1;
    }
}

void aead_init(aead_state *state, const uint8_t *key, const uint8_t *nonce)
{
#if CRYPTO_KEYBYTES == 8 * DRYGASCON_WORDS + 16
    for (uint8_t i = 0; i < 2 * DRYGASCON_WORDS; i++) {
        state->s.c[i] = load32_le(key + 4 * i);
    }
    drygascon_set_x(&state->s, key + DRYGASCON_C_BYTES);
#else
    drygascon_set_c(&state->s, key);
#if CRYPTO_KEYBYTES == DRYGASCON_KEY + 16
    drygascon_set_x(&state->s, key + DRYGASCON_KEY);
#else
    drygascon_derive_x(&state->s, key);
#endif
#endif
    state->rounds = DRYGASCON_INIT_ROUNDS;
    wait(state, nonce, CRYPTO_NPUBBYTES, DRYGASCON_NONCE);
}

void aead_ad(aead_state *state, const uint8_t *ad, size_t length)
{
    while (length != 0) {
        const uint8_t n = length < DRYGASCON_BLOCK ? (uint8_t)length : DRYGASCON_BLOCK;

        make_way(state, DRYGASCON_AD);
        wait(state, ad, n, DRYGASCON_AD);
        ad += n;
        length -= n;
    }
}

/* Encrypts `length` bytes, or decrypts them if `decrypt` is not 0. */
static void crypt(aead_state *state, uint8_t *output, const uint8_t *input, size_t length,
                  uint8_t decrypt)
{
    while (length != 0) {
        const uint8_t n = length < DRYGASCON_BLOCK ? (uint8_t)length : DRYGASCON_BLOCK;
        uint8_t message[DRYGASCON_BLOCK];

        make_way(state, DRYGASCON_MESSAGE);
        for (uint8_t i = 0; i < n; i++) {
            const uint8_t in = input[i], out = in ^ drygascon_output(&state->s, i);

            message[i] = decrypt ? out : in;
            output[i] = out;
        }
        wait(state, message, n, DRYGASCON_MESSAGE);
        input += n;
        output += n;
        length -= n;
    }
}

void aead_encrypt(aead_state *state, uint8_t *ciphertext, const uint8_t *plaintext, size_t length)
{
    crypt(state, ciphertext, plaintext, length, 0);
}

void aead_decrypt(aead_state *state, uint8_t *plaintext, const uint8_t *ciphertext, size_t length)
{
    crypt(state, plaintext, ciphertext, length, 1);
}

/* The tag is r, followed by r after G. */
void aead_finalize(aead_state *state)
{
    flush(state, state->domain | DRYGASCON_FINAL);
    for (uint8_t i = 0; i < CRYPTO_ABYTES; i++) {
        if (i == DRYGASCON_BLOCK) {
            drygascon_next(&state->s, DRYGASCON_ROUNDS);
        }
        state->tag[i] = drygascon_output(&state->s, i % DRYGASCON_BLOCK);
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
