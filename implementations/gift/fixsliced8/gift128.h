/*
 * GIFT-128 on bytes, fixsliced.
 *
 * References: S. Banik et al., "GIFT-COFB v1.1" (2021), chapter 2 (GIFT-128 in its bitsliced
 * form); A. Adomnicai, Z. Najm, T. Peyrin, "Fixslicing: A New GIFT Representation" (TCHES 2020).
 *
 * The contract is that of fixsliced32/gift128.h.
 */
#ifndef PENNYWEIGHT_GIFT128_H
#define PENNYWEIGHT_GIFT128_H

#include <stdint.h>

#include "../native/native.h"

#if GIFT128_NATIVE_ENCRYPT
#define GIFT128_ALIGNED _Alignas(uint16_t)
#else
#define GIFT128_ALIGNED
#endif

/* The bytes of a block. */
typedef struct {
    GIFT128_ALIGNED uint8_t bytes[16];
} gift128_state;

/* For each of the 40 rounds, the four bytes of V and then those of U, in the arrangement of bits
 * that the round ends with. */
typedef struct {
    GIFT128_ALIGNED uint8_t round[320];
} gift128_key;

/* The key schedule, for a key of 16 bytes. */
void gift128_set_key(gift128_key *key, const uint8_t *bytes);

/* Encrypts a block in place. */
void gift128_encrypt(gift128_state *state, const gift128_key *key);

#include "blocks8.h"

#endif
