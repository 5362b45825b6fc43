/* Ascon in C, with other names. */
#define ascon_permute reference_permute
#define ascon_absorb_bits reference_absorb_bits
#if defined(BYTES)
#include "../../implementations/ascon/bytes8/permutation.c"
#elif defined(HALVES)
#include "../../implementations/ascon/halves32/permutation.c"
#else
#include "../../implementations/ascon/interleaved32/permutation.c"
#endif

#ifndef BYTES

void reference_block(ascon_state *s, uint8_t *output, const uint8_t *input, unsigned direction)
{
    ascon_block(s, output, input, direction);
    ascon_permute(s, ASCON_ROUNDS_B);
}

void reference_output(ascon_state *s, uint8_t *output)
{
    ascon_permute(s, ASCON_ROUNDS_B);
    ascon_output(s, 0, output, ASCON_RATE);
}

#endif

#if defined(ASCON_KEY_BYTES) && !defined(BYTES)

void reference_initialize(ascon_state *s, ascon_key *k, const uint8_t *key, const uint8_t *nonce)
{
    ascon_set_key(k, key);
    ascon_set_state(s, k, nonce);
    ascon_permute(s, ASCON_ROUNDS_A);
    ascon_add_key(s, k, 24);
}

void reference_finalize(ascon_state *s, const ascon_key *k, uint8_t *tag)
{
    ascon_add_key(s, k, ASCON_RATE);
    ascon_permute(s, ASCON_ROUNDS_A);
    ascon_add_key(s, k, 24);
    ascon_output(s, 24, tag, 16);
}

#endif

#if defined(ISAP_S_B) && ISAP_S_B != ASCON_1_ROUND

void reference_absorb_bits(ascon_state *s, const uint8_t *bits)
{
    for (unsigned i = 0; i < 128; i++) {
        ascon_add_bit(s, (uint8_t)(bits[i / 8] << i % 8));
        if (i != 127) {
            ascon_permute(s, ISAP_S_B);
        }
    }
}

#endif
