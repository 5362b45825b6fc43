/*
 * TweAES-128, with its six rounds for most of the tag, as ESTATE's tweakable block cipher.
 *
 * References: A. Chakraborti, N. Datta, A. Jha, C. Mancillas Lopez, M. Nandi, Y. Sasaki, "ESTATE"
 * (submission to NIST's lightweight cryptography project, round 2, 2019),
 * section 2.
 */
#ifndef PENNYWEIGHT_ESTATE_CIPHER_H
#define PENNYWEIGHT_ESTATE_CIPHER_H

#include <stdint.h>

#include "aes.h"

/* Tweaks of the nonce and of the blocks before the last. */
enum { ESTATE_NONCE = 15, ESTATE_ABSORB = 15 };

/* The key schedule, to which the code word of the last tweak is added. */
typedef struct {
    aes_key aes;
    uint8_t code;
} estate_key;

/* Sets a key of 16 bytes. */
void estate_set_key(estate_key *key, const uint8_t *bytes);

/* Encrypts the block at `block` in place under a tweak of four bits. */
void estate_encrypt(estate_key *key, uint8_t *block, uint8_t tweak);

/* The same for the nonce and blocks before the last, with six rounds. */
void estate_absorb(estate_key *key, uint8_t *block, uint8_t tweak);

#endif
