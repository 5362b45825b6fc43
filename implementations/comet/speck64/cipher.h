/*
 * SPECK-64/128 as COMET's block cipher.
 *
 * References: S. Gueron, A. Jha, M. Nandi, "COMET" (2019), section 2.
 */
#ifndef PENNYWEIGHT_COMET_CIPHER_H
#define PENNYWEIGHT_COMET_CIPHER_H

#include <stdint.h>

#define COMET_BLOCK 8

/* Encrypts the block at `block` in place under the key of 16 bytes at `key`. */
void comet_encrypt(const uint8_t *key, uint8_t *block);

#endif
