/*
 * Ascon's mode for output of any length, also with a customisation string, for all variants and
 * representations of the state.
 *
 * References: NIST SP 800-232 (2025), sections 5.2 and 5.3, algorithms 6 and 7; Ascon v1.2 (2021),
 * section 2.5, algorithm 2; same names.
 *
 * "variant.h" belongs to the variant, "permutation.h" and its headers to the representation.
 */
#include "hash_state.h"

#include "api.h"
#include "bytes.h"
#if ASCON_CUSTOMISED
#include "crypto_cxof.h"
#else
#include "crypto_hash.h"
#endif

const uint16_t hash_state_bytes = sizeof(hash_state);

void hash_update(hash_state *state, const uint8_t *message, size_t length)
{
    state->taken =
        (uint8_t)ascon_duplex(&state->s, state->taken, NULL, message, length, ASCON_ABSORB);
}

/* Pads the input; the next block is empty. */
static void end_absorbing(hash_state *state)
{
    ascon_pad(&state->s, state->taken);
    ascon_permute(&state->s, ASCON_ROUNDS_A);
    state->taken = 0;
}

#if ASCON_CUSTOMISED

/* The longest customisation string: 2048 bits (section 5.3). */
enum { LONGEST_STRING = 256 };

/* Initialization and customisation: the length of the string in bits, then the string. Callers must
 * not exceed LONGEST_STRING: longer strings are absorbed, but the output is not the standard's. */
void hash_init_custom(hash_state *state, const uint8_t *custom, size_t length)
{
    uint8_t bits[8];

    ascon_set_hash_state(&state->s);
    state->taken = 0;
    store64_le(bits, (uint64_t)length << 3);
    hash_update(state, bits, sizeof bits);
    hash_update(state, custom, length);
    end_absorbing(state);
}

void hash_init(hash_state *state)
{
    hash_init_custom(state, NULL, 0);
}

#else

/* Initialization. */
void hash_init(hash_state *state)
{
    ascon_set_hash_state(&state->s);
    state->taken = 0;
}

#endif

/* Squeezing: `taken` bytes of the current block have been output. */
void hash_squeeze(hash_state *state, uint8_t *output, size_t length)
{
    while (length != 0) {
#if ASCON_NATIVE_BLOCKS
        if (state->taken == ASCON_RATE && length >= ASCON_RATE &&
            ascon_native_aligned(output, NULL)) {
            const size_t whole = length / ASCON_RATE;

            ascon_squeeze_blocks(&state->s, output, NULL, whole);
            output += whole * ASCON_RATE;
            length -= whole * ASCON_RATE;
            continue;
        }
#endif
        if (state->taken == ASCON_RATE) {
            ascon_permute(&state->s, ASCON_ROUNDS_B);
            state->taken = 0;
        }
        if (state->taken == 0 && length >= ASCON_RATE) {
            ascon_output(&state->s, 0, output, ASCON_RATE);
            state->taken = ASCON_RATE;
            output += ASCON_RATE;
            length -= ASCON_RATE;
        } else {
            uint8_t block[ASCON_RATE];
            uint8_t n = (uint8_t)(ASCON_RATE - state->taken);

            n = length < n ? (uint8_t)length : n;
            ascon_output(&state->s, 0, block, ASCON_RATE);
            copy_bytes(output, block + state->taken, n);
            state->taken = (uint8_t)(state->taken + n);
            output += n;
            length -= n;
        }
    }
}

void hash_final(hash_state *state, uint8_t *digest)
{
    end_absorbing(state);
    hash_squeeze(state, digest, CRYPTO_BYTES);
}

#if ASCON_CUSTOMISED

/* Returns -1 and writes nothing if the customisation string is too long. */
int crypto_cxof(unsigned char *out, unsigned long long outlen, const unsigned char *in,
                unsigned long long inlen, const unsigned char *cs, unsigned long long cslen)
{
    hash_state state;

    if (cslen > LONGEST_STRING) {
        return -1;
    }
    hash_init_custom(&state, cs, (size_t)cslen);
    hash_update(&state, in, (size_t)inlen);
    end_absorbing(&state);
    hash_squeeze(&state, out, (size_t)outlen);
    return 0;
}

#else

int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen)
{
    hash_state state;

    hash_init(&state);
    hash_update(&state, in, (size_t)inlen);
    hash_final(&state, out);
    return 0;
}

#endif
