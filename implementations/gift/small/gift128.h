/*
 * GIFT-128 optimised for code size: the rows of the specification, as bytes, or on 32-bit machines
 * also as words.
 *
 * References: S. Banik et al., "GIFT-COFB v1.1" (2021), chapter 2 (GIFT-128 in its bitsliced
 * form).
 *
 * The contract is that of fixsliced32/gift128.h.
 */
#ifndef PENNYWEIGHT_GIFT128_H
#define PENNYWEIGHT_GIFT128_H

#include <stdint.h>

/* The bytes of a block, or of a key. Words have the machine's byte order. */
typedef union {
    uint8_t bytes[16];
    uint32_t words[4];
} gift128_state;

typedef gift128_state gift128_key;

/* Takes a key of 16 bytes. */
static inline void gift128_set_key(gift128_key *key, const uint8_t *bytes)
{
    for (uint8_t i = 0; i < 16; i++) {
        key->bytes[i] = bytes[i];
    }
}

/* Encrypts a block in place. */
void gift128_encrypt(gift128_state *state, const gift128_key *key);

#include "blocks8.h"

#endif
