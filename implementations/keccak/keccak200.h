/*
 * The permutations Keccak-p[200, n].
 *
 * References: FIPS 202 (2015), section 3.3.
 *
 *   keccak200_permute   the last `rounds` rounds of Keccak-f[200], in place; lane (x, y) is byte
 *                       x + 5 y
 *   keccak200_permute4  all 18 rounds for four states, the bytes of which are interleaved: byte i
 *                       of state j is byte j, counted from the least significant one, of word i
 */
#ifndef PENNYWEIGHT_KECCAK200_H
#define PENNYWEIGHT_KECCAK200_H

#include <stdint.h>

enum { KECCAK200_BYTES = 25, KECCAK200_ROUNDS = 18 };

void keccak200_permute(uint8_t *state, uint8_t rounds);
void keccak200_permute4(uint32_t *states);

#endif
