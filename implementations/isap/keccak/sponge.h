/*
 * ISAP's sponge on Keccak-p[400, n].
 *
 * References: "ISAP v2.0" (2021), section 2 (see aead_state.h).
 */
#ifndef PENNYWEIGHT_ISAP_SPONGE_H
#define PENNYWEIGHT_ISAP_SPONGE_H

#include <stddef.h>

#include "keccak400.h"
#include "variant.h"

#define isap_state keccak400_state
#define isap_permute keccak400_permute

static inline void isap_set(keccak400_state *s, const uint8_t *first, uint8_t iv)
{
    const uint64_t rest = ISAP_IV | (uint64_t)iv << 56;

    for (uint8_t i = 0; i < KECCAK400_LANES; i++) {
        s->a[i] = 0;
        if (i < 8) {
            s->a[i] = keccak400_load(first + 2 * i);
        }
    }
    for (uint8_t i = 0; i < 8; i++) {
        keccak400_add_byte(s, (uint8_t)(16 + i), (uint8_t)(rest >> (56 - 8 * i)));
    }
}

#if defined(KECCAK_BIT_BY_BIT) && defined(KECCAK400_ABSORBS_BITS)

#define isap_absorb_bits keccak400_absorb_bits

#else

static inline void isap_add_bit(keccak400_state *s, uint8_t bit)
{
    keccak400_add_byte(s, 0, bit & 0x80);
}

#include "bits.h"

#endif

static inline uint8_t isap_absorb(keccak400_state *s, uint8_t taken, const uint8_t *input,
                                  size_t length)
{
    for (; length != 0; length--) {
        keccak400_add_byte(s, taken, *input++);
        taken++;
        if (taken == ISAP_RATE) {
            keccak400_permute(s, ISAP_S_H);
            taken = 0;
        }
    }
    return taken;
}

static inline void isap_pad(keccak400_state *s, uint8_t taken)
{
    keccak400_add_byte(s, taken, 0x80);
}

static inline void isap_separate(keccak400_state *s)
{
    keccak400_add_byte(s, KECCAK400_BYTES - 1, 1);
}

static inline void isap_output(const keccak400_state *s, uint8_t *output)
{
    for (uint8_t i = 0; i < 16; i++) {
        output[i] = keccak400_byte(s, i);
    }
}

static inline void isap_take_key(keccak400_state *s, const keccak400_state *key)
{
    for (uint8_t i = 0; i < 8; i++) {
        s->a[i] = key->a[i];
    }
}

static inline void isap_take_nonce(keccak400_state *s, const uint8_t *nonce)
{
    for (uint8_t i = 0; i < 8; i++) {
        s->a[KECCAK400_LANES - 8 + i] = keccak400_load(nonce + 2 * i);
    }
}

static inline void isap_crypt(const keccak400_state *s, uint8_t *output, const uint8_t *input,
                              uint8_t length)
{
    for (uint8_t i = 0; i < length; i++) {
        output[i] = input[i] ^ keccak400_byte(s, i);
    }
}

#endif
