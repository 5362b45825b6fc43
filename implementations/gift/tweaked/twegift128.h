/*
 * TweGIFT-128: GIFT-128 with a tweak of four bits.
 *
 * References: A. Chakraborti, N. Datta, A. Jha, C. Mancillas Lopez, M. Nandi, Y. Sasaki, "ESTATE"
 * (submission to NIST's lightweight cryptography project, round 2, 2019), section 2.4.
 *
 * After every fifth round but the last, four copies of the tweak's code word of eight bits are
 * added to S_0. A tweak of 0 is GIFT-128.
 */
#ifndef PENNYWEIGHT_TWEGIFT128_H
#define PENNYWEIGHT_TWEGIFT128_H

#include "gift128.h"

/* Encrypts a block in place; `tweak` is the code word. */
void twegift128_encrypt(gift128_state *state, const gift128_key *key, uint8_t tweak);

#endif
