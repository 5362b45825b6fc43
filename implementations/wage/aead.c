/*
 * WAGE-AE-128.
 *
 * References: M. Aagaard, R. AlTawy, G. Gong, K. Mandal, R. Rohit, N. Zidaric, "WAGE: An
 * Authenticated Cipher" (submission to NIST's lightweight cryptography project, round 2, 2019),
 * section 2; same names.
 *
 * A block of 64 bits is nine stages and a bit of the tenth, the first bit of a byte being its most
 * significant one.
 */
#include "aead_state.h"
#include "api.h"
#include "bytes.h"
#include "flash.h"
#include "secret.h"

enum { BLOCK = 8, BLOCK_STAGES = 10 };

/* Domains, added to S_0. */
enum {
    NONE = 0,
    AD = 0x40,
    MESSAGE = 0x20,
};

enum {
    ABSORB,
    ENCRYPT,
    DECRYPT,
};

const uint16_t aead_state_bytes = sizeof(aead_state);
const uint16_t aead_block_bytes = BLOCK;

/* The stages that absorb a block. */
static const uint8_t rate[BLOCK_STAGES] IN_FLASH = {8, 9, 15, 16, 18, 27, 28, 34, 35, 36};

/* The bits of a block as stages; the last stage has one bit. */
static void unpack(uint8_t stages[BLOCK_STAGES], const uint8_t bytes[BLOCK])
{
    unsigned bits = 0;
    uint8_t n = 0;

    for (uint8_t i = 0; i < BLOCK; i++) {
        bits = bits << 8 | bytes[i];
        for (n = (uint8_t)(n + 8); n >= 7; n = (uint8_t)(n - 7)) {
            *stages++ = (uint8_t)(bits >> (n - 7) & 0x7f);
        }
    }
    *stages = (uint8_t)((bits & 1) << 6);
}

/* The first n bytes of the bits of stages. */
static void pack(uint8_t *bytes, const uint8_t *stages, uint8_t n)
{
    unsigned bits = 0;
    uint8_t held = 0;

    for (; n != 0; n--) {
        while (held < 8) {
            bits = bits << 7 | *stages++;
            held = (uint8_t)(held + 7);
        }
        held = (uint8_t)(held - 8);
        *bytes++ = (uint8_t)(bits >> held);
    }
}

/* Adds a block and a domain, and permutes. */
static void take(aead_state *state, const uint8_t block[BLOCK], uint8_t domain)
{
    uint8_t stages[BLOCK_STAGES];

    unpack(stages, block);
    for (uint8_t i = 0; i < BLOCK_STAGES; i++) {
        state->s[flash_u8(&rate[i])] ^= stages[i];
    }
    state->s[0] ^= domain;
    wage_permute(state->s);
}

/* Absorbs both halves of the key. */
static void take_key(aead_state *state)
{
    take(state, state->key, NONE);
    take(state, state->key + BLOCK, NONE);
}

/* Stage i of a key or nonce: words 0 to 8 are in the first half, 9 to 17 in the second. */
static uint8_t word(uint8_t halves[2][BLOCK_STAGES], uint8_t i)
{
    return i < 9 ? halves[0][i] : halves[1][i - 9];
}

void aead_init(aead_state *state, const uint8_t *key, const uint8_t *nonce)
{
    uint8_t k[2][BLOCK_STAGES], n[2][BLOCK_STAGES];
    uint8_t *const s = state->s;

    unpack(k[0], key);
    unpack(k[1], key + BLOCK);
    unpack(n[0], nonce);
    unpack(n[1], nonce + BLOCK);
    for (uint8_t i = 0; i < 9; i++) {
        s[i] = word(k, (uint8_t)(2 * i));
        s[19 + i] = word(k, (uint8_t)(2 * i + 1));
        s[28 + i] = word(n, (uint8_t)(2 * i));
    }
    for (uint8_t i = 0; i < 7; i++) {
        s[9 + i] = word(n, (uint8_t)(2 * i + 1));
    }
    s[16] = word(n, 17);
    s[17] = word(n, 15);
    s[18] = (uint8_t)(k[0][9] | k[1][9] >> 1 | n[0][9] >> 2 | n[1][9] >> 3);
    copy_bytes(state->key, key, 16);
    wage_permute(s);
    take_key(state);
    state->began_ad = 0;
    state->message = 0;
    state->ended = 0;
}

/* Absorbs `length` bytes; a partial last block is padded and ends the string. */
static void crypt(aead_state *state, uint8_t *output, const uint8_t *input, size_t length,
                  uint8_t direction)
{
    const uint8_t domain = direction == ABSORB ? AD : MESSAGE;

    while (length != 0) {
        const uint8_t n = length < BLOCK ? (uint8_t)length : BLOCK;
        uint8_t block[BLOCK] = {0};

        copy_bytes(block, input, n);
        if (direction != ABSORB) {
            uint8_t stages[BLOCK_STAGES], stream[BLOCK];

            for (uint8_t i = 0; i < BLOCK_STAGES; i++) {
                stages[i] = state->s[flash_u8(&rate[i])];
            }
            pack(stream, stages, BLOCK);
            for (uint8_t i = 0; i < n; i++) {
                const uint8_t in = block[i], out = in ^ stream[i];

                block[i] = direction == DECRYPT ? out : in;
                output[i] = out;
            }
            output += n;
        }
        if (n != BLOCK) {
            block[n] = 0x80;
            state->ended = 1;
        }
        take(state, block, domain);
        input += n;
        length -= n;
    }
}

/* Ends a string of full blocks with a block of padding. */
static void end(aead_state *state, uint8_t domain)
{
    if (!state->ended) {
        static const uint8_t padding[BLOCK] = {0x80};

        take(state, padding, domain);
    }
    state->ended = 0;
}

void aead_ad(aead_state *state, const uint8_t *ad, size_t length)
{
    if (length != 0) {
        state->began_ad = 1;
        crypt(state, NULL, ad, length, ABSORB);
    }
}

/* Ends the associated data, if any. */
static void begin_message(aead_state *state)
{
    if (!state->message) {
        if (state->began_ad) {
            end(state, AD);
        }
        state->message = 1;
    }
}

void aead_encrypt(aead_state *state, uint8_t *ciphertext, const uint8_t *plaintext, size_t length)
{
    begin_message(state);
    crypt(state, ciphertext, plaintext, length, ENCRYPT);
}

void aead_decrypt(aead_state *state, uint8_t *plaintext, const uint8_t *ciphertext, size_t length)
{
    begin_message(state);
    crypt(state, plaintext, ciphertext, length, DECRYPT);
}

/* The tag is stages 28 to 36 and 9 to 17, alternating, and two bits of stage 18. */
void aead_finalize(aead_state *state)
{
    uint8_t stages[19];

    begin_message(state);
    end(state, MESSAGE);
    take_key(state);
    for (uint8_t i = 0; i < 9; i++) {
        stages[2 * i] = state->s[28 + i];
        stages[2 * i + 1] = state->s[9 + i];
    }
    stages[18] = (uint8_t)((unsigned)state->s[18] << 2 & 0x60);
    pack(state->tag, stages, CRYPTO_ABYTES);
}

void aead_tag(const aead_state *state, uint8_t *tag)
{
    copy_bytes(tag, state->tag, CRYPTO_ABYTES);
}

int aead_verify(const aead_state *state, const uint8_t *tag)
{
    return compare_constant_time(state->tag, tag, CRYPTO_ABYTES);
}
