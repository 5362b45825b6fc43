/*
 * Poly1305, a MAC under a one-time key.
 *
 * References: RFC 8439 (2018), section 2.5; same names.
 */
#include "bytes.h"
#include "mac_state.h"

const uint16_t mac_state_bytes = sizeof(mac_state);

void mac_init(mac_state *state, const uint8_t *key)
{
    poly1305_init(&state->sum, key);
    copy_bytes(state->tag, key + 16, 16);
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
        poly1305_blocks(&state->sum, state->block, 1, 1);
    }
    poly1305_blocks(&state->sum, message, length / 16, 1);
    state->filled = (uint8_t)(length & 15);
    copy_bytes(state->block, message + (length & ~(size_t)15), state->filled);
}

/* Pads a partial last block with its end mark and zeros. */
void mac_finalize(mac_state *state)
{
    if (state->filled != 0) {
        state->block[state->filled++] = 1;
        zero_bytes(state->block + state->filled, (uint8_t)(16 - state->filled));
        poly1305_blocks(&state->sum, state->block, 1, 0);
    }
    poly1305_finish(&state->sum, state->tag);
}
