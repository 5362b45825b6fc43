/*
 * Jumbo: Elephant on Spongent-pi[176].
 *
 * References: "Elephant v2" (2021), section 2 (see aead_state.h).
 */
#ifndef PENNYWEIGHT_ELEPHANT_VARIANT_H
#define PENNYWEIGHT_ELEPHANT_VARIANT_H

#define SPONGENT_BYTES 22
#define SPONGENT_ROUNDS 90
#define SPONGENT_COUNTER {0x45, 0xa2}

#define ELEPHANT_BYTES SPONGENT_BYTES
#define ELEPHANT_PERMUTATION "spongent.h"
#define elephant_permute spongent_permute
#define elephant_permute4 spongent_permute4

/* phi_1: the byte that follows x[0] to x[21]. */
#define ELEPHANT_LFSR(x) ((x)[0] << 1 ^ (x)[0] >> 7 ^ (x)[3] << 7 ^ (x)[19] >> 7)

#endif
