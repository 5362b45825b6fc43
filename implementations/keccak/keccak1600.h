/*
 * The permutation Keccak-f[1600].
 *
 * References: FIPS 202 (2015), section 3.
 *
 *   keccak1600_permute   all 24 rounds, in place
 *   keccak1600_add_lane  adds 8 bytes to lane `i`, which is lane (x, y) for i = x + 5 y
 *   keccak1600_add_byte  adds a byte to byte `i` of the state
 *   keccak1600_lane      writes the 8 bytes of lane `i`
 *
 * "state1600.h" is the representation's: it defines keccak1600_state and all functions but the
 * first.
 */
#ifndef PENNYWEIGHT_KECCAK1600_H
#define PENNYWEIGHT_KECCAK1600_H

#include <stdint.h>

enum { KECCAK1600_LANES = 25, KECCAK1600_ROUNDS = 24 };

#include "state1600.h"

void keccak1600_permute(keccak1600_state *state);

#endif
