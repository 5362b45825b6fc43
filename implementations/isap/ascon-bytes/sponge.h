/*
 * ISAP's sponge on Ascon's permutation, for representations that store a word as its
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

/* Overwrites the state from byte `offset` on with `length` bytes. */
static inline void isap_put(ascon_state *s, uint8_t offset, const uint8_t *bytes, uint8_t length)
{
    for (uint8_t i = 0; i < length; i++) {
        *ascon_at(s, (uint8_t)(offset + i)) = bytes[i];
    }
}

static inline void isap_set(ascon_state *s, const uint8_t *first, uint8_t iv)
{
    zero_bytes(s->bytes, sizeof s->bytes);
    isap_put(s, 0, first, 16);
    store64_le(s->bytes + 16, ISAP_IV);
    *ascon_at(s, 16) = iv;
}

static inline void isap_add_bit(ascon_state *s, uint8_t bit)
{
    uint8_t *first = ascon_at(s, 0);

    *first = (uint8_t)(*first ^ (bit & 0x80));
}

#include "bits.h"

static inline uint8_t isap_absorb(ascon_state *s, uint8_t taken, const uint8_t *input,
                                  size_t length)
{
    return ascon_duplex(s, taken, NULL, input, length, ASCON_ABSORB);
}

static inline void isap_output(const ascon_state *s, uint8_t *output)
{
    ascon_output(s, 0, output, 16);
}

static inline void isap_take_key(ascon_state *s, const ascon_state *key)
{
    copy_bytes(s->bytes, key->bytes, 16);
}

static inline void isap_take_nonce(ascon_state *s, const uint8_t *nonce)
{
    isap_put(s, 24, nonce, 16);
}

static inline void isap_crypt(const ascon_state *s, uint8_t *output, const uint8_t *input,
                              uint8_t length)
{
    for (uint8_t i = 0; i < length; i++) {
        output[i] = input[i] ^ s->bytes[i ^ 7];
    }
}

#endif
