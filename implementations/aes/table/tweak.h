/*
 * Tweaks of AES, added to a key schedule: in bytes.
 *
 * References: A. Chakraborti, N. Datta, A. Jha, C. Mancillas Lopez, M. Nandi, Y. Sasaki, "ESTATE"
 * (submission to NIST's lightweight cryptography project, round 2, 2019), section 2.3 (TweAES-128).
 */
#ifndef PENNYWEIGHT_AES_TWEAK_H
#define PENNYWEIGHT_AES_TWEAK_H

#include "aes.h"

/* Adds bit i of `bits` to the lowest bit of byte i of round key n, n even and not 0. */
static inline void aes_add_tweak(aes_key *key, uint8_t n, uint8_t bits)
{
    uint8_t *w = key->w + 16 * n;

    for (uint8_t i = 0; i < 8; i++) {
        *w = (uint8_t)(*w ^ (bits & 1));
        w++;
        bits >>= 1;
    }
}

#endif
