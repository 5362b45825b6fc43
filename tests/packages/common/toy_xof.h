/*
 * A toy with the interface of a customised XOF; 16 bytes of digest. The faulty packages define:
 *   TOY_SKIP       bytes of output that every call of hash_squeeze leaves out
 */
#include "crypto_cxof.h"
#include "crypto_hash.h"
#include "pennyweight/hash.h"
#include "toy_sponge.h"

#ifndef TOY_SKIP
#define TOY_SKIP 0
#endif

struct hash_state {
    toy_sponge sponge;
};

const uint16_t hash_state_bytes = sizeof(struct hash_state);

void hash_init_custom(hash_state *state, const uint8_t *custom, size_t length)
{
    toy_start(&state->sponge, custom, length);
}

void hash_init(hash_state *state)
{
    toy_start(&state->sponge, NULL, 0);
}

void hash_update(hash_state *state, const uint8_t *message, size_t length)
{
    toy_absorb(&state->sponge, message, length);
}

void hash_squeeze(hash_state *state, uint8_t *output, size_t length)
{
    int i;

    for (i = 0; i < TOY_SKIP; i++) {
        toy_byte(&state->sponge, 7);
    }
    toy_squeeze(&state->sponge, output, length);
}

void hash_final(hash_state *state, uint8_t *digest)
{
    toy_mix(&state->sponge);
    toy_squeeze(&state->sponge, digest, 16);
}

int crypto_cxof(unsigned char *out, unsigned long long outlen, const unsigned char *in,
                unsigned long long inlen, const unsigned char *cs, unsigned long long cslen)
{
    hash_state state;

    hash_init_custom(&state, cs, (size_t)cslen);
    hash_update(&state, in, (size_t)inlen);
    toy_mix(&state.sponge);
    toy_squeeze(&state.sponge, out, (size_t)outlen);
    return 0;
}

int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen)
{
    return crypto_cxof(out, 16, in, inlen, NULL, 0);
}
