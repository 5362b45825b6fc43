/*
 * SATURNIN-Hash: Saturnin with 16 super-rounds as a compression function, Merkle-Damgard.
 *
 * References: A. Canteaut, S. Duval, G. Leurent, M. Naya-Plasencia, L. Perrin, T. Pornin, A.
 * Schrottenloher, "Saturnin" (submission to NIST's lightweight cryptography project, round 2,
 * 2019), section 2; same names.
 */
#include "bytes.h"
#include "crypto_hash.h"
#include "hash_state.h"

enum { ROUNDS = 16 };

/* Domains: all blocks but the last, and the last. */
enum {
    MIDDLE = 7,
    LAST = 8,
};

const uint16_t hash_state_bytes = sizeof(hash_state);

void hash_init(hash_state *state)
{
    zero_bytes(state->chain, SATURNIN_BYTES);
    state->taken = 0;
}

void hash_update(hash_state *state, const uint8_t *message, size_t length)
{
    for (; length != 0; length--) {
        state->block[state->taken++] = *message++;
        if (state->taken == SATURNIN_BYTES) {
            saturnin_compress(state->chain, state->block, ROUNDS, MIDDLE);
            state->taken = 0;
        }
    }
}

void hash_final(hash_state *state, uint8_t *digest)
{
    state->block[state->taken] = 0x80;
    zero_bytes(state->block + state->taken + 1, (size_t)(SATURNIN_BYTES - 1 - state->taken));
    saturnin_compress(state->chain, state->block, ROUNDS, LAST);
    copy_bytes(digest, state->chain, SATURNIN_BYTES);
}

int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen)
{
    hash_state state;

    hash_init(&state);
    hash_update(&state, in, (size_t)inlen);
    hash_final(&state, out);
    return 0;
}
