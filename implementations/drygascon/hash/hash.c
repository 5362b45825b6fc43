/*
 * DryGASCON128-HASH and DryGASCON256-HASH.
 *
 * References: S. Riou, "DryGASCON" (submission to NIST's lightweight cryptography project, round 2,
 * 2019), sections 2 and 3; same names.
 */
#include "api.h"
#include "bytes.h"
#include "crypto_hash.h"
#include "flash.h"
#include "hash_state.h"

const uint16_t hash_state_bytes = sizeof(hash_state);

/* CST_H, digits of pi instead of a key: first the bytes that fill c, then x. */
static const uint8_t cst_h[48] IN_FLASH = {
    0x24, 0x3f, 0x6a, 0x88, 0x85, 0xa3, 0x08, 0xd3, 0x13, 0x19, 0x8a, 0x2e, 0x03, 0x70, 0x73, 0x44,
    0xa4, 0x09, 0x38, 0x22, 0x29, 0x9f, 0x31, 0xd0, 0x08, 0x2e, 0xfa, 0x98, 0xec, 0x4e, 0x6c, 0x89,
    0x45, 0x28, 0x21, 0xe6, 0x38, 0xd0, 0x13, 0x77, 0xbe, 0x54, 0x66, 0xcf, 0x34, 0xe9, 0x0c, 0x6c,
};

void hash_init(hash_state *state)
{
    uint8_t key[DRYGASCON_KEY + 16];

    for (uint8_t i = 0; i < sizeof key; i++) {
        key[i] = flash_u8(&cst_h[i]);
    }
    drygascon_set_c(&state->s, key);
    drygascon_set_x(&state->s, key + DRYGASCON_KEY);
    state->taken = 0;
}

void hash_update(hash_state *state, const uint8_t *message, size_t length)
{
    for (; length != 0; length--) {
        if (state->taken == DRYGASCON_BLOCK) {
            drygascon_take(&state->s, state->block, 0, DRYGASCON_ROUNDS);
            state->taken = 0;
        }
        state->block[state->taken++] = *message++;
    }
}

void hash_final(hash_state *state, uint8_t *digest)
{
    uint8_t domain = DRYGASCON_AD | DRYGASCON_FINAL;

    if (state->taken != DRYGASCON_BLOCK) {
        state->block[state->taken++] = 0x01;
        zero_bytes(state->block + state->taken, (size_t)(DRYGASCON_BLOCK - state->taken));
        domain |= 1;
    }
    drygascon_take(&state->s, state->block, domain, DRYGASCON_ROUNDS);
    for (uint8_t i = 0; i < CRYPTO_BYTES; i++) {
        if (i != 0 && i % DRYGASCON_BLOCK == 0) {
            drygascon_next(&state->s, DRYGASCON_ROUNDS);
        }
        *digest++ = drygascon_output(&state->s, i % DRYGASCON_BLOCK);
    }
}

int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen)
{
    hash_state state;

    hash_init(&state);
    hash_update(&state, in, (size_t)inlen);
    hash_final(&state, out);
    return 0;
}
