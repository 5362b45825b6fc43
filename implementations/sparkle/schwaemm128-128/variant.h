/*
 * Schwaemm128-128.
 *
 * References: C. Beierle et al., "Schwaemm and Esch: Lightweight Authenticated Encryption and
 * Hashing using the Sparkle Permutation Family" (v1.2, 2021), sections 2.1 and 2.3.
 */
#ifndef PENNYWEIGHT_SPARKLE_VARIANT_H
#define PENNYWEIGHT_SPARKLE_VARIANT_H

#define SPARKLE_BRANCHES 4
#define SPARKLE_SLIM 7       /* steps between blocks */
#define SPARKLE_BIG 10       /* steps elsewhere */
#define SCHWAEMM_RATE 16     /* bytes of the state that absorb data */
#define SCHWAEMM_CAPACITY 16 /* the other bytes; the size of key and tag */

#endif
