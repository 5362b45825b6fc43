/*
 * Gimli-24-Hash.
 *
 * References: "Gimli" (2019), section 2.10 (see gimli.h).
 */
#include "hash_state.h"

#include "api.h"
#include "bytes.h"
#include "crypto_hash.h"

const uint16_t hash_state_bytes = sizeof(hash_state);

void hash_init(hash_state *state)
{
    zero_bytes(state->s.bytes, GIMLI_BYTES);
    state->taken = 0;
}

void hash_update(hash_state *state, const uint8_t *message, size_t length)
{
    while (length != 0) {
        const uint8_t space = (uint8_t)(GIMLI_RATE - state->taken);
        const uint8_t n = length < space ? (uint8_t)length : space;

        gimli_take(&state->s, state->taken, NULL, message, n, GIMLI_ABSORB);
        state->taken = (uint8_t)(state->taken + n);
        if (state->taken == GIMLI_RATE) {
            gimli_permute(&state->s);
            state->taken = 0;
        }
        message += n;
        length -= n;
    }
}

void hash_final(hash_state *state, uint8_t *digest)
{
    state->s.bytes[state->taken] ^= 1;
    state->s.bytes[GIMLI_BYTES - 1] ^= 1;
    gimli_permute(&state->s);
    copy_bytes(digest, state->s.bytes, GIMLI_RATE);
    gimli_permute(&state->s);
    copy_bytes(digest + GIMLI_RATE, state->s.bytes, CRYPTO_BYTES - GIMLI_RATE);
}

int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen)
{
    hash_state state;

    hash_init(&state);
    hash_update(&state, in, (size_t)inlen);
    hash_final(&state, out);
    return 0;
}
