/*
 * TinyJAMBU's state and key for small code: as bytes, or on 32-bit machines also as
 * words.
 *
 * References: H. Wu, T. Huang, "TinyJAMBU" (Version 2, 2021), section 3.2.
 */
#ifndef PENNYWEIGHT_TINYJAMBU_PERMUTATION_H
#define PENNYWEIGHT_TINYJAMBU_PERMUTATION_H

#include <stdint.h>

#include "direction.h"
#include "variant.h"

typedef union {
    uint8_t bytes[16];
    uint32_t words[4];
} tinyjambu_state;

typedef union {
    uint8_t bytes[TINYJAMBU_KEY_BYTES];
    uint32_t words[TINYJAMBU_KEY_BYTES / 4];
} tinyjambu_key;

/* Sets the key to TINYJAMBU_KEY_BYTES bytes. */
static inline void tinyjambu_set_key(tinyjambu_key *key, const uint8_t *bytes)
{
    for (uint8_t i = 0; i < TINYJAMBU_KEY_BYTES; i++) {
        key->bytes[i] = bytes[i];
    }
}

/* P_n for n = 128 * `steps`. */
void tinyjambu_permute(tinyjambu_state *s, const tinyjambu_key *key, uint8_t steps);

#include "take_bytes.h"

#define tinyjambu_take tinyjambu_take_bytes

#endif
