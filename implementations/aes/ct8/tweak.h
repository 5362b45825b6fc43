/*
 * Tweaks of AES, added to a key schedule: in bit planes of bytes (see aes_ct8.c).
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
    uint8_t *const w = key->w + 16 * n + 12;

    for (uint8_t r = 0; r < 4; r++) {
        w[r] = (uint8_t)(w[r] ^ (bits & 1) ^ (bits >> 2 & 4));
        bits >>= 1;
    }
}

#endif
