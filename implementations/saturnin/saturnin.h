/*
 * The block cipher Saturnin.
 *
 * References: A. Canteaut, S. Duval, G. Leurent, M. Naya-Plasencia, L. Perrin, T. Pornin, A.
 * Schrottenloher, "Saturnin" (submission to NIST's lightweight cryptography project, round 2,
 * 2019), section 2.
 */
#ifndef PENNYWEIGHT_SATURNIN_H
#define PENNYWEIGHT_SATURNIN_H

#include <stdint.h>

enum { SATURNIN_BYTES = 32 };

/* Encrypts `block` in place under `key`, 32 bytes each, in `rounds` super-rounds, an even number;
 * `domain` is from 0 to 15. */
void saturnin_encrypt(uint8_t *block, const uint8_t *key, uint8_t rounds, uint8_t domain);

/* Undoes saturnin_encrypt with the same arguments; `rounds` is at most 16. */
void saturnin_decrypt(uint8_t *block, const uint8_t *key, uint8_t rounds, uint8_t domain);

/* The cascade's compression: key = E_key(block) + block. */
void saturnin_compress(uint8_t *key, const uint8_t *block, uint8_t rounds, uint8_t domain);

#endif
