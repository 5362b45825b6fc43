/*
 * SKINNY-tk2-HASH: SKINNY-128-256 and a rate of 32 bits.
 *
 * References: C. Beierle et al., "SKINNY-AEAD and SKINNY-Hash v1.1" (2019), section 3.
 */
#ifndef PENNYWEIGHT_SKINNY_HASH_VARIANT_H
#define PENNYWEIGHT_SKINNY_HASH_VARIANT_H

#define SKINNY128_ROUNDS 48
#define SKINNY128_TWEAKEYS 2
#define SKINNY128_KEEPS_TK3 0

#define SKINNY_HASH_RATE 4

#endif
