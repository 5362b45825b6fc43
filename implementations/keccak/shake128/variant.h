/*
 * SHAKE128.
 *
 * References: FIPS 202 (2015), section 6.2.
 */
#ifndef PENNYWEIGHT_KECCAK_VARIANT_H
#define PENNYWEIGHT_KECCAK_VARIANT_H

#define KECCAK_RATE 168 /* bytes of a block */
#define KECCAK_SUFFIX KECCAK_SHAKE
#define KECCAK_XOF

#endif
