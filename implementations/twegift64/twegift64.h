/*
 * TweGIFT-64: GIFT-64 with a tweak of four bits.
 *
 * References: A. Chakraborti, N. Datta, A. Jha, C. Mancillas Lopez, M. Nandi, Y. Sasaki,
 * "LOTUS-AEAD and LOCUS-AEAD" (submission to NIST's lightweight cryptography project, round 2,
 * 2019), section 2.2; S. Banik, S. K. Pandey, T. Peyrin, Y. Sasaki, S. M. Sim, Y. Todo, "GIFT: A
 * Small Present" (CHES 2017), section 2; same names.
 *
 * Bit 4 i + j of a block, whose first byte is the least significant, is bit i of slice j.
 */
#ifndef PENNYWEIGHT_TWEGIFT64_H
#define PENNYWEIGHT_TWEGIFT64_H

#include <stdint.h>

/* The slices of a block. */
typedef struct {
    uint16_t s[4];
} twegift64_block;

/* Reads the slices from the 8 bytes at `bytes`. */
void twegift64_load(twegift64_block *block, const uint8_t *bytes);

/* The inverse. */
void twegift64_store(uint8_t *bytes, const twegift64_block *block);

/* Encrypts a block in place under a key of 16 bytes, of which the first is the least significant,
 * and the code word of a tweak (tweak_code.h). */
void twegift64_encrypt(twegift64_block *block, const uint8_t *key, uint8_t code);

/* The inverse. */
void twegift64_decrypt(twegift64_block *block, const uint8_t *key, uint8_t code);

#endif
