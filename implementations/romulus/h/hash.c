/*
 * Romulus-H.
 *
 * References: "Romulus v1.3" (2021), section 2.4 (see romulus.h).
 */
#include "hash_state.h"

#include "crypto_hash.h"

const uint16_t hash_state_bytes = sizeof(hash_state);

void hash_init(hash_state *state)
{
    romulus_hash_init(&state->h);
}

void hash_update(hash_state *state, const uint8_t *message, size_t length)
{
    romulus_hash_update(&state->h, message, length);
}

void hash_final(hash_state *state, uint8_t *digest)
{
    romulus_hash_final(&state->h);
    for (uint8_t i = 0; i < ROMULUS_BLOCK; i++) {
        digest[i] = state->h.l[i];
        digest[ROMULUS_BLOCK + i] = state->h.r[i];
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
