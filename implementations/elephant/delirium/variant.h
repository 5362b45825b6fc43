/*
 * Delirium: Elephant on Keccak-f[200].
 *
 * References: "Elephant v2" (2021), section 2 (see aead_state.h).
 */
#ifndef PENNYWEIGHT_ELEPHANT_VARIANT_H
#define PENNYWEIGHT_ELEPHANT_VARIANT_H

#define ELEPHANT_BYTES 25
#define ELEPHANT_PERMUTATION "keccak200.h"
#define elephant_permute(x) keccak200_permute(x, KECCAK200_ROUNDS)
#define elephant_permute4 keccak200_permute4

/* phi_1: the byte that follows x[0] to x[24]. */
#define ELEPHANT_LFSR(x) ((x)[0] << 1 ^ (x)[0] >> 7 ^ (x)[2] << 1 ^ (x)[2] >> 7 ^ (x)[13] << 1)

#endif
