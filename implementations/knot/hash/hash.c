/*
 * KNOT-Hash, for all permutations. The digest is squeezed in two halves.
 *
 * References: "KNOT" (2019), section 4 (see knot.h).
 */
#include "hash_state.h"

#include "api.h"
#include "bytes.h"
#include "crypto_hash.h"

const uint16_t hash_state_bytes = sizeof(hash_state);

void hash_init(hash_state *state)
{
    zero_bytes(state->s.bytes, KNOT_BYTES);
    state->s.bytes[KNOT_BYTES - 1] = KNOT_TOP_BIT << 7;
    state->taken = 0;
}

void hash_update(hash_state *state, const uint8_t *message, size_t length)
{
    for (; length != 0; length--) {
        state->s.bytes[state->taken] ^= *message++;
        state->taken++;
        if (state->taken == KNOT_RATE) {
            knot_permute(&state->s, KNOT_ROUNDS);
            state->taken = 0;
        }
    }
}

void hash_final(hash_state *state, uint8_t *digest)
{
    state->s.bytes[state->taken] ^= 1;
    knot_permute(&state->s, KNOT_ROUNDS);
    copy_bytes(digest, state->s.bytes, CRYPTO_BYTES / 2);
    knot_permute(&state->s, KNOT_ROUNDS);
    copy_bytes(digest + CRYPTO_BYTES / 2, state->s.bytes, CRYPTO_BYTES / 2);
}

int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen)
{
    hash_state state;

    hash_init(&state);
    hash_update(&state, in, (size_t)inlen);
    hash_final(&state, out);
    return 0;
}
