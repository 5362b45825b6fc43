/*
 * AES-GMAC: AES-GCM of no data; the message is its associated data. The nonce is the last part of
 * the key; it has 96 bits, and the tag 128, in all variants of the catalogue (see gcm.c).
 *
 * References: NIST SP 800-38D (2007), section 3 and algorithm 4.
 */
#include "bytes.h"
#include "mac_state.h"
#include "secret.h"

const uint16_t mac_state_bytes = sizeof(mac_state);

void mac_init(mac_state *state, const uint8_t *key)
{
    aead_init(&state->gcm, key, key + AES_KEY_BYTES);
    state->filled = 0;
}

void mac_set_key(mac_state *state, const uint8_t *key)
{
    aead_set_key(&state->gcm, key);
}

void mac_start(mac_state *state, const uint8_t *key)
{
    aead_start(&state->gcm, key + AES_KEY_BYTES);
    state->filled = 0;
}

void mac_update(mac_state *state, const uint8_t *message, size_t length)
{
    if (length == 0) {
        return; /* the message may be NULL, and NULL + 0 is not defined (C11, 6.5.6) */
    }
    if (state->filled != 0) {
        uint8_t n = (uint8_t)(16 - state->filled);

        n = length < n ? (uint8_t)length : n;
        copy_bytes(state->block + state->filled, message, n);
        state->filled = (uint8_t)(state->filled + n);
        message += n;
        length -= n;
        if (state->filled != 16) {
            return;
        }
        aead_ad(&state->gcm, state->block, 16);
    }
    aead_ad(&state->gcm, message, length & ~(size_t)15);
    state->filled = (uint8_t)(length & 15);
    copy_bytes(state->block, message + (length & ~(size_t)15), state->filled);
}

void mac_finalize(mac_state *state)
{
    aead_ad(&state->gcm, state->block, state->filled);
    aead_finalize(&state->gcm);
}

void mac_tag(const mac_state *state, uint8_t *tag)
{
    aead_tag(&state->gcm, tag);
}

int mac_verify(const mac_state *state, const uint8_t *tag)
{
    return aead_verify(&state->gcm, tag);
}
