/*
 * AES in constant time for 8-bit cores: two blocks at a time, in bit planes of bytes.
 *
 * References: FIPS 197 (2001, updated 2023).
 *
 * "api.h" gives CRYPTO_KEYBYTES: 16, 24 or 32; AES_KEY_BYTES, too, if it differs. With
 * AES_EXTRA_KEYS 1, aes_expand_key computes one more round key, which is not converted; with
 * AES_WHOLE_ROUNDS, there is aes_encrypt_whole.
 */
#ifndef PENNYWEIGHT_AES_CT8_H
#define PENNYWEIGHT_AES_CT8_H

#include <stdint.h>

#include "api.h"

#if !defined(AES_KEY_BYTES)
#define AES_KEY_BYTES CRYPTO_KEYBYTES
#endif
#if !defined(AES_EXTRA_KEYS)
#define AES_EXTRA_KEYS 0
#endif

/* Nk of FIPS 197, the words of the key, and Nr, the number of rounds. */
#define AES_NK (AES_KEY_BYTES / 4)
#define AES_NR (AES_NK + 6)

/* Blocks that one call of aes_encrypt takes. */
#define AES_BLOCKS 2

/* The key schedule w of FIPS 197, 16 bytes a round, as bit planes: see aes_ct8.c. */
typedef struct {
    uint8_t w[16 * (AES_NR + 1 + AES_EXTRA_KEYS)];
} aes_key;

/* KeyExpansion of the AES_KEY_BYTES bytes at `bytes`. */
void aes_expand_key(aes_key *key, const uint8_t *bytes);

/* Encrypts the two blocks at `blocks`, 32 bytes in the order of memory, in place. */
void aes_encrypt(const aes_key *key, uint32_t blocks[8]);

/* The same in `rounds` rounds, an even number, the last of which has MIXCOLUMNS, too, and the last
 * round key. */
void aes_encrypt_whole(const aes_key *key, uint32_t blocks[8], uint8_t rounds);

/* The round key after the last, 16 bytes, if AES_EXTRA_KEYS is 1. */
void aes_next_key(uint8_t *bytes, const aes_key *key);

#endif
