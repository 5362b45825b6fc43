/*
 * TinyJAMBU's state and key as bytes.
 *
 * References: H. Wu, T. Huang, "TinyJAMBU" (Version 2, 2021), section 3.2.
 */
#ifndef PENNYWEIGHT_TINYJAMBU_PERMUTATION_H
#define PENNYWEIGHT_TINYJAMBU_PERMUTATION_H

#include <stdint.h>

#include "direction.h"
#include "variant.h"

typedef struct {
    uint8_t bytes[16];
} tinyjambu_state;

/* The complement of the key, so that the complement in every step's NAND need not be computed;
 * repeated to a multiple of 16 bytes. */
#define TINYJAMBU_KEY_FILLED (TINYJAMBU_KEY_BYTES == 24 ? 48 : TINYJAMBU_KEY_BYTES)

typedef struct {
    uint8_t complement[TINYJAMBU_KEY_FILLED];
} tinyjambu_key;

/* Sets the key to TINYJAMBU_KEY_BYTES bytes. */
static inline void tinyjambu_set_key(tinyjambu_key *key, const uint8_t *bytes)
{
    for (uint8_t i = 0; i < TINYJAMBU_KEY_FILLED; i++) {
        key->complement[i] = (uint8_t)~bytes[i % TINYJAMBU_KEY_BYTES];
    }
}

/* P_n for n = 128 * `steps`. */
void tinyjambu_permute(tinyjambu_state *s, const tinyjambu_key *key, uint8_t steps);

#include "take_bytes.h"

#define tinyjambu_take tinyjambu_take_bytes

#endif
