/*
 * ACE's hash.
 *
 * References: "ACE" (2019), the hash (see sliscp.h).
 */
#include "hash_state.h"

#include "api.h"
#include "crypto_hash.h"

const uint16_t hash_state_bytes = sizeof(hash_state);

/* Bytes 8 to 10 of the state: lengths of digest and rate. */
void hash_init(hash_state *state)
{
    for (uint8_t i = 0; i < 2 * SLISCP_BLOCKS; i++) {
        state->s.x[i] = 0;
    }
    state->s.x[2] = UINT32_C(0x80404000);
    sliscp_permute(&state->s, SLISCP_STEPS);
    state->taken = 0;
}

void hash_update(hash_state *state, const uint8_t *message, size_t length)
{
    for (; length != 0; length--) {
        sliscp_add(&state->s, sliscp_rate(state->taken), *message++);
        state->taken++;
        if (state->taken == SLISCP_RATE) {
            sliscp_permute(&state->s, SLISCP_STEPS);
            state->taken = 0;
        }
    }
}

void hash_final(hash_state *state, uint8_t *digest)
{
    sliscp_add(&state->s, sliscp_rate(state->taken), 0x80);
    for (uint8_t i = 0; i < CRYPTO_BYTES; i++) {
        if (i % SLISCP_RATE == 0) {
            sliscp_permute(&state->s, SLISCP_STEPS);
        }
        digest[i] = sliscp_byte(&state->s, sliscp_rate(i % SLISCP_RATE));
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
