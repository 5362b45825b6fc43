/*
 * ISAP's sponge on Ascon's permutation, for representations that do not store a word as its
 * bytes.
 *
 * References: "ISAP v2.0" (2021), section 2 (see aead_state.h).
 */
#ifndef PENNYWEIGHT_ISAP_SPONGE_H
#define PENNYWEIGHT_ISAP_SPONGE_H

#include "permutation.h"

#define isap_state ascon_state
#define isap_permute ascon_permute
#define isap_pad ascon_pad
#define isap_separate ascon_separate

static inline void isap_set(ascon_state *s, const uint8_t *first, uint8_t iv)
{
    *s = ascon_state_of(0, 0, ISAP_IV | (uint64_t)iv << 56, 0, 0);
    s->x[0] = ascon_lane_load(first);
    s->x[1] = ascon_lane_load(first + 8);
}

#ifdef ASCON_ABSORBS_BITS

#define isap_absorb_bits ascon_absorb_bits

#else

static inline void isap_add_bit(ascon_state *s, uint8_t bit)
{
    ascon_add_bit(s, bit);
}

#include "bits.h"

#endif

static inline uint8_t isap_absorb(ascon_state *s, uint8_t taken, const uint8_t *input,
                                  size_t length)
{
    return (uint8_t)ascon_duplex(s, taken, NULL, input, length, ASCON_ABSORB);
}

static inline void isap_output(const ascon_state *s, uint8_t *output)
{
    ascon_output(s, 0, output, 16);
}

static inline void isap_take_key(ascon_state *s, const ascon_state *key)
{
    s->x[0] = key->x[0];
    s->x[1] = key->x[1];
}

static inline void isap_take_nonce(ascon_state *s, const uint8_t *nonce)
{
    s->x[3] = ascon_lane_load(nonce);
    s->x[4] = ascon_lane_load(nonce + 8);
}

static inline void isap_crypt(const ascon_state *s, uint8_t *output, const uint8_t *input,
                              uint8_t length)
{
    if (length == 8) {
        ascon_lane_store(output, ascon_lane_xor(s->x[0], ascon_lane_load(input)));
    } else {
        uint8_t block[8];

        ascon_lane_store(block, s->x[0]);
        for (uint8_t i = 0; i < length; i++) {
            output[i] = input[i] ^ block[i];
        }
    }
}

#endif
