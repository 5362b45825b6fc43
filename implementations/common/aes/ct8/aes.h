/*
 * AES in constant time for 8-bit cores: two blocks at a time, in bit planes of bytes.
 *
 * References: FIPS 197 (2001, updated 2023).
 *
 * "api.h" gives CRYPTO_KEYBYTES: 16, 24 or 32; AES_KEY_BYTES, too, if that is another number.
 */
#ifndef PENNYWEIGHT_AES_CT8_H
#define PENNYWEIGHT_AES_CT8_H

#include <stdint.h>

#include "api.h"

#if !defined(AES_KEY_BYTES)
#define AES_KEY_BYTES CRYPTO_KEYBYTES
#endif

/* Nk of FIPS 197, the words of the key, and Nr, the number of rounds. */
#define AES_NK (AES_KEY_BYTES / 4)
#define AES_NR (AES_NK + 6)

/* Blocks that one call of aes_encrypt takes. */
#define AES_BLOCKS 2

/* The key schedule w of FIPS 197, 16 bytes a round, as bit planes: see aes_ct8.c. */
typedef struct {
    uint8_t w[16 * (AES_NR + 1)];
} aes_key;

/* KeyExpansion of the AES_KEY_BYTES bytes at `bytes`. */
void aes_expand_key(aes_key *key, const uint8_t *bytes);

/* Encrypts the two blocks at `blocks`, 32 bytes in the order of memory, in place. */
void aes_encrypt(const aes_key *key, uint32_t blocks[8]);

#endif
