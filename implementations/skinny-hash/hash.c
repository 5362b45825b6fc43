/*
 * SKINNY-tk2-HASH and SKINNY-tk3-HASH: a sponge whose function encrypts constants with SKINNY-128
 * under the state as its tweakey.
 *
 * References: C. Beierle, J. Jean, S. Kölbl, G. Leander, A. Moradi, T. Peyrin, Y. Sasaki,
 * P. Sasdrich, S. M. Sim, "SKINNY-AEAD and SKINNY-Hash v1.1" (submission to NIST's lightweight
 * cryptography project, round 2, 2019), section 3; same names.
 *
 * "variant.h" defines the number of tweakeys and SKINNY_HASH_RATE in bytes; "schedule.h" is the
 * representation of SKINNY that the implementation chose.
 */
#include "bytes.h"
#include "crypto_hash.h"
#include "hash_state.h"
#include "skinny128.h"

#define OUTPUT_BYTES 16

const uint16_t hash_state_bytes = sizeof(hash_state);

/* F: the encryptions of 0, 1 (and 2) in the first byte, under the state. */
static void permute(hash_state *state)
{
    skinny128_schedule schedule;
    uint8_t next[sizeof state->s];

#if SKINNY128_TWEAKEYS == 3
    skinny128_set_key_tk2(&schedule, state->s + 32, state->s + 16);
#else
    skinny128_set_key(&schedule, state->s + 16);
#endif
    skinny128_add_tk1_upper(&schedule, state->s + 8);
    zero_bytes(next, sizeof next);
    for (uint8_t i = 0; i < SKINNY128_TWEAKEYS; i++) {
        next[16 * i] = i;
        skinny128_encrypt(&schedule, state->s, next + 16 * i);
    }
    copy_bytes(state->s, next, sizeof next);
    state->taken = 0;
}

void hash_init(hash_state *state)
{
    zero_bytes(state->s, sizeof state->s);
    state->s[SKINNY_HASH_RATE] = 0x80;
    state->taken = 0;
}

void hash_update(hash_state *state, const uint8_t *message, size_t length)
{
    for (; length != 0; length--) {
        state->s[state->taken++] ^= *message++;
        if (state->taken == SKINNY_HASH_RATE) {
            permute(state);
        }
    }
}

void hash_final(hash_state *state, uint8_t *digest)
{
    state->s[state->taken] ^= 0x80;
    permute(state);
    copy_bytes(digest, state->s, OUTPUT_BYTES);
    permute(state);
    copy_bytes(digest + OUTPUT_BYTES, state->s, OUTPUT_BYTES);
}

int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen)
{
    hash_state state;

    hash_init(&state);
    hash_update(&state, in, (size_t)inlen);
    hash_final(&state, out);
    return 0;
}
