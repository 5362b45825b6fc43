/*
 * NORX32-4-1, versions 2.0 and 3.0: 128-bit key and tag, four rounds, no parallelism.
 *
 * References: J.-P. Aumasson, P. Jovanovic, S. Neves, "NORX v3.0" (2016), section 3, and "NORX
 * v2.0" (2015), section 2; same names. The optional trailer is not offered.
 *
 * "variant.h" defines the version, "unit.h" whether blocks are handled by bytes or by words.
 */
#include "aead_state.h"
#include "api.h"
#include "bytes.h"
#include "flash.h"
#include "norx.h"
#include "order.h"
#include "secret.h"
#include "unit.h"

/* r / 8: the bytes absorbed per call of the permutation. */
#define RATE 48

/* Domain separation constants. */
enum {
    HEADER = 0x01,
    PAYLOAD = 0x02,
    TAG = 0x08,
};

enum {
    ABSORB,
    ENCRYPT,
    DECRYPT,
};

const uint16_t aead_state_bytes = sizeof(aead_state);
const uint16_t aead_block_bytes = RATE;

/* u_2, u_3 and u_8, ..., u_15, the last four with w, l, p and t added: 32, 4, 1 and 128. */
static const uint32_t CONSTANTS[10] IN_FLASH = {
    0xb707322f, 0xa0c7c90d,      0xa3d8d930,     0x3fa8b72c,     0xed84eb49,
    0xedca4787, 0x335463eb ^ 32, 0xf994220b ^ 4, 0xbe0bf5c9 ^ 1, 0xd7c49104 ^ 128};

/* Adds a domain separation constant to the state and permutes it. */
static void permute(aead_state *state, uint8_t domain)
{
    ((uint8_t *)state->s)[60] ^= domain;
    norx_permute(state->s);
}

/* Adds the key to the last row, in version 3.0. */
static void blind(aead_state *state)
{
#if NORX_BLINDED
    for (uint8_t i = 0; i < 4; i++) {
        state->s[12 + i] ^= state->key[i];
    }
#else
    (void)state;
#endif
}

void aead_init(aead_state *state, const uint8_t *key, const uint8_t *nonce)
{
    for (uint8_t i = 0; i < 8; i++) {
        state->s[8 + i] = little_endian32(flash_u32(&CONSTANTS[2 + i]));
    }
    copy_bytes((uint8_t *)state->s, nonce, NORX_NONCE_BYTES);
#if NORX_NONCE_BYTES == 8
    state->s[2] = little_endian32(flash_u32(&CONSTANTS[0]));
    state->s[3] = little_endian32(flash_u32(&CONSTANTS[1]));
#endif
    copy_bytes((uint8_t *)(state->s + 4), key, 16);
#if NORX_BLINDED
    copy_bytes((uint8_t *)state->key, key, 16);
#endif
    state->open = 0;
    state->message = 0;
    permute(state, 0);
    blind(state);
}

/* Processes a full block. If `aligned`, units can be read at `input` and written at `output`. */
ALWAYS_INLINE void take_block(aead_state *state, uint8_t *output, const uint8_t *input,
                              uint8_t direction, int aligned)
{
    unit *s = (unit *)state->s;

    for (uint8_t i = 0; i < RATE; i = (uint8_t)(i + sizeof(unit))) {
        const unit in = load_unit_if(input, aligned);
        const unit sum = (unit)(*s ^ in);

        if (direction != ABSORB) {
            store_unit_if(output, sum, aligned);
            output += sizeof(unit);
        }
        *s++ = direction == DECRYPT ? in : sum;
        input += sizeof(unit);
    }
}

/* Processes a partial block and pads it: 1, zeros, 1. */
static void take_last(aead_state *state, uint8_t *output, const uint8_t *input, uint8_t length,
                      uint8_t direction)
{
    uint8_t *s = (uint8_t *)state->s;

    s[length] ^= 0x01;
    s[RATE - 1] ^= 0x80;
    for (; length != 0; length--) {
        const uint8_t in = *input++, sum = *s ^ in;

        if (direction != ABSORB) {
            *output++ = sum;
        }
        *s++ = direction == DECRYPT ? in : sum;
    }
}

/* Processes `length` bytes of header or payload, and pads the end unless it is a full block. */
static void take(aead_state *state, uint8_t *output, const uint8_t *input, size_t length,
                 uint8_t direction)
{
    const uint8_t domain = direction == ABSORB ? HEADER : PAYLOAD;

    while (length >= RATE) {
        permute(state, domain);
        if (direction == ABSORB) {
            take_block(state, NULL, input, ABSORB, 0);
        } else {
            if (units_aligned(input, output)) {
                take_block(state, output, input, direction, 1);
            } else {
                take_block(state, output, input, direction, 0);
            }
            output += RATE;
        }
        input += RATE;
        length -= RATE;
        state->open = 1;
    }
    if (length != 0) {
        permute(state, domain);
        take_last(state, output, input, (uint8_t)length, direction);
        state->open = 0;
    }
}

/* Pads the last input if it ended with a full block. */
static void close(aead_state *state, uint8_t domain)
{
    if (state->open) {
        permute(state, domain);
        take_last(state, NULL, NULL, 0, ABSORB);
        state->open = 0;
    }
}

void aead_ad(aead_state *state, const uint8_t *ad, size_t length)
{
    take(state, NULL, ad, length, ABSORB);
}

/* Ends the header unless already ended. */
static void end_ad(aead_state *state)
{
    if (!state->message) {
        close(state, HEADER);
        state->message = 1;
    }
}

void aead_encrypt(aead_state *state, uint8_t *ciphertext, const uint8_t *plaintext, size_t length)
{
    end_ad(state);
    take(state, ciphertext, plaintext, length, ENCRYPT);
}

void aead_decrypt(aead_state *state, uint8_t *plaintext, const uint8_t *ciphertext, size_t length)
{
    end_ad(state);
    take(state, plaintext, ciphertext, length, DECRYPT);
}

void aead_finalize(aead_state *state)
{
    end_ad(state);
    close(state, PAYLOAD);
    permute(state, TAG);
    blind(state);
    permute(state, 0);
    blind(state);
}

/* The row of the state that is the tag once it is finalized. */
static const uint8_t *tag_row(const aead_state *state)
{
    return (const uint8_t *)(state->s + (NORX_BLINDED ? 12 : 0));
}

void aead_tag(const aead_state *state, uint8_t *tag)
{
    copy_bytes(tag, tag_row(state), CRYPTO_ABYTES);
}

int aead_verify(const aead_state *state, const uint8_t *tag)
{
    return compare_constant_time(tag_row(state), tag, CRYPTO_ABYTES);
}
