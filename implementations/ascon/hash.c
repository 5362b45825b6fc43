/*
 * Ascon's mode for hashing, for all variants and representations of the state.
 *
 * References: NIST SP 800-232 (2025), section 5.1, algorithm 5; Ascon v1.2 (2021), section 2.5,
 * algorithm 2; same names.
 *
 * "variant.h" belongs to the variant, "permutation.h" and its headers to the representation.
 */
#include "hash_state.h"

#include "api.h"
#include "crypto_hash.h"

const uint16_t hash_state_bytes = sizeof(hash_state);

/* Initialization. */
void hash_init(hash_state *state)
{
    ascon_set_hash_state(&state->s);
    state->taken = 0;
}

/* Absorbing. */
void hash_update(hash_state *state, const uint8_t *message, size_t length)
{
    state->taken =
        (uint8_t)ascon_duplex(&state->s, state->taken, NULL, message, length, ASCON_ABSORB);
}

/* Squeezing. */
void hash_final(hash_state *state, uint8_t *digest)
{
    ascon_pad(&state->s, state->taken);
    ascon_permute(&state->s, ASCON_ROUNDS_A);
    ascon_output(&state->s, 0, digest, ASCON_RATE);
#if ASCON_NATIVE_BLOCKS
    if (ascon_native_aligned(digest, NULL)) {
        ascon_squeeze_blocks(&state->s, digest + ASCON_RATE, NULL, CRYPTO_BYTES / ASCON_RATE - 1);
        return;
    }
#endif
    for (unsigned i = ASCON_RATE; i < CRYPTO_BYTES; i += ASCON_RATE) {
        ascon_permute(&state->s, ASCON_ROUNDS_B);
        ascon_output(&state->s, 0, digest + i, ASCON_RATE);
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
