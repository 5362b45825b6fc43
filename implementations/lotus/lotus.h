/*
 * Shared by LOTUS-AEAD and LOCUS-AEAD: keys and masks from the nonce, associated data, tag.
 *
 * References: A. Chakraborti, N. Datta, A. Jha, C. Mancillas Lopez, M. Nandi, Y. Sasaki,
 * "LOTUS-AEAD and LOCUS-AEAD" (submission to NIST's lightweight cryptography project, round 2,
 * 2019), section 3; same names.
 *
 * Both treat the end of a message differently, so there is no incremental API.
 */
#ifndef PENNYWEIGHT_LOTUS_H
#define PENNYWEIGHT_LOTUS_H

#include <stddef.h>
#include <stdint.h>

#include "twegift64.h"

enum { LOTUS_BLOCK = 8 };

typedef struct {
    uint8_t l[16];    /* L, the key of the next block */
    uint8_t delta[8]; /* Delta_N, the mask */
    uint8_t sum[8];   /* the sum of V and W */
} lotus;

/* block = E of the block under L and a tweak. */
void lotus_encrypt(const lotus *s, uint8_t *block, uint8_t tweak);

/* L = 2 L in GF(2^128). */
void lotus_next_key(lotus *s);

/* to += from, a block. */
void lotus_add(uint8_t *to, const uint8_t *from);

/* Begins with key and nonce, and absorbs the associated data. */
void lotus_begin(lotus *s, const uint8_t *key, const uint8_t *nonce, const uint8_t *ad,
                 size_t length);

/* Computes the tag in the sum. */
void lotus_end(lotus *s);

/* The mode's: encrypts a message of `length` > 0 bytes, or decrypts it if `decrypt` is not 0. */
void lotus_crypt(lotus *s, uint8_t *output, const uint8_t *input, size_t length, uint8_t decrypt);

#endif
