/*
 * SHA3-256.
 *
 * References: FIPS 202 (2015), section 6.1.
 */
#ifndef PENNYWEIGHT_KECCAK_VARIANT_H
#define PENNYWEIGHT_KECCAK_VARIANT_H

#define KECCAK_RATE 136 /* bytes of a block */
#define KECCAK_SUFFIX KECCAK_SHA3

#endif
