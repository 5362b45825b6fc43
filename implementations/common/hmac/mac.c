/*
 * HMAC-SHA256 with a key of at most a block.
 *
 * References: FIPS 198-1, "The Keyed-Hash Message Authentication Code (HMAC)" (2008), section 4;
 * names as there.
 */
#include "bytes.h"
#include "mac_state.h"

#define BLOCK 64

const uint16_t mac_state_bytes = sizeof(mac_state);

/* Starts the hash with K0 ^ pad. */
static void start(mac_state *state, uint8_t pad)
{
    uint8_t block[BLOCK];

    for (uint8_t i = 0; i < BLOCK; i++) {
        block[i] = i < CRYPTO_KEYBYTES ? state->key[i] ^ pad : pad;
    }
    hash_init(&state->hash);
    hash_update(&state->hash, block, sizeof block);
}

void mac_init(mac_state *state, const uint8_t *key)
{
    copy_bytes(state->key, key, sizeof state->key);
    start(state, 0x36);
}

void mac_update(mac_state *state, const uint8_t *message, size_t length)
{
    hash_update(&state->hash, message, length);
}

void mac_finalize(mac_state *state)
{
    hash_final(&state->hash, state->tag);
    start(state, 0x5c);
    hash_update(&state->hash, state->tag, sizeof state->tag);
    hash_final(&state->hash, state->tag);
}
