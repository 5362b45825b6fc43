/*
 * BLAKE2 as a hash.
 *
 * References: RFC 7693 (2015), section 3.3.
 */
#include "api.h"
#include "crypto_hash.h"
#include "hash_state.h"

const uint16_t hash_state_bytes = sizeof(hash_state);

void hash_init(hash_state *state)
{
    blake2_init(&state->blake2, CRYPTO_BYTES, NULL, 0);
}

void hash_update(hash_state *state, const uint8_t *message, size_t length)
{
    blake2_update(&state->blake2, message, length);
}

void hash_final(hash_state *state, uint8_t *digest)
{
    blake2_final(&state->blake2, digest, CRYPTO_BYTES);
}

int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen)
{
    hash_state state;

    hash_init(&state);
    hash_update(&state, in, (size_t)inlen);
    hash_final(&state, out);
    return 0;
}
