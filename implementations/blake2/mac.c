/*
 * Keyed BLAKE2.
 *
 * References: RFC 7693 (2015), section 3.3.
 */
#include "mac_state.h"

const uint16_t mac_state_bytes = sizeof(mac_state);

void mac_init(mac_state *state, const uint8_t *key)
{
    blake2_init(&state->blake2, CRYPTO_BYTES, key, CRYPTO_KEYBYTES);
}

void mac_update(mac_state *state, const uint8_t *message, size_t length)
{
    blake2_update(&state->blake2, message, length);
}

void mac_finalize(mac_state *state)
{
    blake2_final(&state->blake2, state->tag, CRYPTO_BYTES);
}
