/*
 * AES-CMAC with a tag of 128 bits.
 *
 * References: NIST SP 800-38B, "Recommendation for Block Cipher Modes of Operation: The CMAC Mode
 * for Authentication" (2005, updated 2016), section 6; same names.
 *
 * "aes.h" is the representation that the implementation chose. Where AES encrypts two blocks at a
 * time, every block of the message also computes L = CIPH_K(0).
 */
#include "block128.h"
#include "mac_state.h"

const uint16_t mac_state_bytes = sizeof(mac_state);

#define C(state) (state)->blocks
#define L(state) ((state)->blocks + 4)

/* C = CIPH_K(C), and L if it is free. */
static void encrypt(mac_state *state)
{
#if AES_BLOCKS > 1
    zero_bytes((uint8_t *)L(state), 16);
    state->has_l = 1;
#endif
    aes_encrypt(&state->cipher, C(state));
}

void mac_init(mac_state *state, const uint8_t *key)
{
    aes_expand_key(&state->cipher, key);
    zero_bytes((uint8_t *)state->blocks, 32);
    state->filled = 0;
    state->has_l = AES_BLOCKS == 1;
#if AES_BLOCKS == 1
    aes_encrypt(&state->cipher, L(state));
#endif
}

void mac_update(mac_state *state, const uint8_t *message, size_t length)
{
    while (length != 0) {
        uint8_t n;

        if (state->filled == 16) {
            encrypt(state);
            state->filled = 0;
        }
        n = (uint8_t)(16 - state->filled);
        n = length < n ? (uint8_t)length : n;
        if (n == 16) {
            block_add_bytes(C(state), message, 16);
        } else {
            for (uint8_t i = 0; i < n; i++) {
                ((uint8_t *)C(state))[state->filled + i] ^= message[i];
            }
        }
        state->filled = (uint8_t)(state->filled + n);
        message += n;
        length -= n;
    }
}

/* Adds K1 = 2 L to a full last block; pads a partial one and adds K2 = 4 L. */
void mac_finalize(mac_state *state)
{
    uint32_t last[4], k[4];

    block_copy(last, C(state));
    if (!state->has_l) {
        encrypt(state);
    }
    block_double(k, L(state));
    if (state->filled != 16) {
        ((uint8_t *)last)[state->filled] ^= 0x80;
        block_double(k, k);
    }
    block_copy(C(state), last);
    block_add(C(state), k);
    encrypt(state);
    block_copy(state->tag, C(state));
}
