/*
 * GIFT-128 on four words of 32 bits, fixsliced.
 *
 * References: S. Banik et al., "GIFT-COFB v1.1" (2021), chapter 2 (GIFT-128 in its bitsliced
 * form); A. Adomnicai, Z. Najm, T. Peyrin, "Fixslicing: A New GIFT Representation" (TCHES 2020).
 *
 * Every representation defines, for the modes:
 *   gift128_state    a block, in the representation's format
 *   gift128_key      the expanded key
 *   gift128_set_key  from the 16 bytes of a key
 *   gift128_encrypt  a block, in place
 * and, in blocks32.h or blocks8.h, the modes' operations on blocks.
 */
#ifndef PENNYWEIGHT_GIFT128_H
#define PENNYWEIGHT_GIFT128_H

#include <stdint.h>

/* S_0, S_1, S_2, S_3: bytes 0 to 3 of the block, the first in the upper bits, and so on. */
typedef struct {
    uint32_t s[4];
} gift128_state;

/* For each of the 40 rounds, the words that are added to S_1 and then to S_2: the complements of V
 * and U in the arrangement of bits that the round ends with. */
typedef struct {
    uint32_t round[80];
} gift128_key;

/* The key schedule, for a key of 16 bytes. */
void gift128_set_key(gift128_key *key, const uint8_t *bytes);

/* Encrypts a block in place. */
void gift128_encrypt(gift128_state *state, const gift128_key *key);

#include "../native/native.h"
#include "blocks32.h"

#endif
