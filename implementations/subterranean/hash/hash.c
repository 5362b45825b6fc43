/*
 * Subterranean-XOF.
 *
 * References: J. Daemen, P. M. C. Massolino, A. Mehrdad, Y. Rotella, "The Subterranean 2.0 Cipher
 * Suite" (submission to NIST's lightweight cryptography project, round 2, 2019; ToSC 2020, S1),
 * section 3; same names.
 */
#include "api.h"
#include "crypto_hash.h"
#include "hash_state.h"

const uint16_t hash_state_bytes = sizeof(hash_state);

void hash_init(hash_state *state)
{
    subterranean_init(&state->x);
}

/* Byte by byte, each with an empty duplex after it. */
void hash_update(hash_state *state, const uint8_t *message, size_t length)
{
    for (; length != 0; length--) {
        subterranean_duplex(&state->x, *message++, 1);
        subterranean_duplex(&state->x, 0, 0);
    }
}

void hash_squeeze(hash_state *state, uint8_t *output, size_t length)
{
    for (; length != 0; length--) {
        if (state->left == 0) {
            subterranean_duplex(&state->x, 0, 0);
            state->output = subterranean_extract(&state->x);
            state->left = 4;
        }
        *output++ = (uint8_t)state->output;
        state->output >>= 8;
        state->left--;
    }
}

void hash_final(hash_state *state, uint8_t *digest)
{
    subterranean_duplex(&state->x, 0, 0);
    subterranean_duplex(&state->x, 0, 0);
    subterranean_blank(&state->x);
    state->output = subterranean_extract(&state->x);
    state->left = 4;
    hash_squeeze(state, digest, CRYPTO_BYTES);
}

int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen)
{
    hash_state state;

    hash_init(&state);
    hash_update(&state, in, (size_t)inlen);
    hash_final(&state, out);
    return 0;
}
