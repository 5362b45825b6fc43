/*
 * SKINNY-AEAD M2: SKINNY-128-384.
 *
 * References: C. Beierle et al., "SKINNY-AEAD and SKINNY-Hash v1.1" (2019), section 2.
 */
#ifndef PENNYWEIGHT_SKINNY_AEAD_VARIANT_H
#define PENNYWEIGHT_SKINNY_AEAD_VARIANT_H

#define SKINNY128_ROUNDS 56
#define SKINNY128_TWEAKEYS 3
#define SKINNY128_KEEPS_TK3 0

/* The bits of the member in every domain: the lengths of nonce and tag. */
#define SKINNY_AEAD_MEMBER 0x10

#endif
