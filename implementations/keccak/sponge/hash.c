/*
 * SHA-3 and SHAKE.
 *
 * References: FIPS 202 (2015), sections 6.1 and 6.2.
 *
 * "variant.h" defines KECCAK_SUFFIX, and KECCAK_XOF for SHAKE.
 */
#include "hash_state.h"

#include "api.h"
#include "crypto_hash.h"
#include "variant.h"

const uint16_t hash_state_bytes = sizeof(hash_state);

void hash_init(hash_state *state)
{
    keccak_init(&state->sponge);
}

void hash_update(hash_state *state, const uint8_t *message, size_t length)
{
    keccak_absorb(&state->sponge, message, length);
}

void hash_final(hash_state *state, uint8_t *digest)
{
    keccak_finish(&state->sponge, KECCAK_SUFFIX);
    keccak_squeeze(&state->sponge, digest, CRYPTO_BYTES);
}

#ifdef KECCAK_XOF

void hash_squeeze(hash_state *state, uint8_t *output, size_t length)
{
    keccak_squeeze(&state->sponge, output, length);
}

#endif

int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen)
{
    hash_state state;

    hash_init(&state);
    hash_update(&state, in, (size_t)inlen);
    hash_final(&state, out);
    return 0;
}
