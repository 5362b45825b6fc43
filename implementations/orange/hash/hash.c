/*
 * ORANGISH.
 *
 * References: B. Chakraborty, M. Nandi, "ORANGE" (submission to NIST's lightweight cryptography
 * project, round 2, 2019), section 3.
 *
 * Each block of 16 bytes is added to the first half of the state, and again, with the next block,
 * to the second half; the submitted reference code omits byte 0 of the first block.
 */
#include "bytes.h"
#include "crypto_hash.h"
#include "first_block.h"
#include "hash_state.h"

#define HALF 16U

const uint16_t hash_state_bytes = sizeof(hash_state);

/* Byte i of the state. */
static uint8_t *byte_at(hash_state *state, unsigned i)
{
    return photon256_byte(&state->x, (uint8_t)i);
}

void hash_init(hash_state *state)
{
    for (uint8_t i = 0; i < PHOTON256_ROWS; i++) {
        state->x.rows[i] = 0;
    }
    zero_bytes(state->previous, HALF);
    state->taken = 0;
    state->begun = 0;
}

/* Processes the current block. */
static void take_block(hash_state *state)
{
    if (!FIRST_BYTE_TAKEN_AGAIN && state->begun == 1) {
        state->previous[0] = 0;
    }
    for (uint8_t i = 0; i < HALF; i++) {
        *byte_at(state, i) ^= state->block[i];
        *byte_at(state, HALF + i) ^= state->previous[i];
        state->previous[i] = state->block[i];
    }
    photon256_permute(&state->x);
    state->taken = 0;
    state->begun = state->begun == 0 ? 1 : 2;
}

void hash_update(hash_state *state, const uint8_t *message, size_t length)
{
    for (; length != 0; length--) {
        state->block[state->taken++] = *message++;
        if (state->taken == HALF) {
            take_block(state);
        }
    }
}

/* Writes a half of the digest. */
static void squeeze(hash_state *state, uint8_t *digest)
{
    photon256_permute(&state->x);
    for (uint8_t i = 0; i < HALF; i++) {
        digest[i] = *byte_at(state, i);
    }
}

void hash_final(hash_state *state, uint8_t *digest)
{
    uint8_t constant = 1;

    if (state->taken != 0) {
        state->block[state->taken++] = 0x01;
        zero_bytes(state->block + state->taken, (size_t)(HALF - state->taken));
        take_block(state);
        constant = 2;
    }
    if (state->begun != 0) {
        *byte_at(state, 0) ^= constant;
        for (uint8_t i = 0; i < HALF; i++) {
            *byte_at(state, HALF + i) ^= state->previous[i];
        }
    }
    squeeze(state, digest);
    squeeze(state, digest + HALF);
}

int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen)
{
    hash_state state;

    hash_init(&state);
    hash_update(&state, in, (size_t)inlen);
    hash_final(&state, out);
    return 0;
}
