/*
 * AES on shares: two blocks at a time, in bit planes of 32-bit words.
 *
 * References: FIPS 197 (2001, updated 2023); ct32/aes.h of the family aes, whose key schedule and
 * blocks these are, once for each share; ../masked/word32.h for the masking.
 */
#ifndef PENNYWEIGHT_GCM_MASKED_AES_H
#define PENNYWEIGHT_GCM_MASKED_AES_H

#include <stdint.h>

#include "aes.h"
#include "word32.h"

/* The key schedule. */
typedef struct {
    aes_key share[MASKED_SHARES];
} masked_key;

/* Two blocks, 32 bytes in the order of memory. */
typedef struct {
    uint32_t share[MASKED_SHARES][4 * AES_BLOCKS];
} masked_blocks;

/* SUBWORD of a word whose first byte is the least significant. */
void masked_sub_word(masked_word *word);

/* Splits the AES_KEY_BYTES bytes at `bytes` into shares and expands them. */
void masked_expand_key(masked_key *key, const uint8_t *bytes);

/* Encrypts two blocks in place. */
void masked_encrypt(const masked_key *key, masked_blocks *blocks);

#endif
