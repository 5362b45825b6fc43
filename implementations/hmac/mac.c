/*
 * HMAC-SHA256.
 *
 * References: FIPS 198-1, "The Keyed-Hash Message Authentication Code (HMAC)" (2008), section 4;
 * same names.
 */
#include "bytes.h"
#include "mac_state.h"

const uint16_t mac_state_bytes = sizeof(mac_state);

/* Starts the hash with K0 ^ pad. */
static void start(mac_state *state, uint8_t pad)
{
    uint8_t block[HMAC_BLOCK];

    for (uint8_t i = 0; i < HMAC_BLOCK; i++) {
        block[i] = i < HMAC_KEY ? state->key[i] ^ pad : pad;
    }
    hash_init(&state->hash);
    hash_update(&state->hash, block, sizeof block);
}

void mac_init(mac_state *state, const uint8_t *key)
{
#if CRYPTO_KEYBYTES > HMAC_BLOCK
    hash_init(&state->hash);
    hash_update(&state->hash, key, CRYPTO_KEYBYTES);
    hash_final(&state->hash, state->key);
#else
    copy_bytes(state->key, key, sizeof state->key);
#endif
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
