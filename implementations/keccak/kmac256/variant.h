/*
 * KMAC256.
 *
 * References: NIST SP 800-185 (2016), section 4.3.
 */
#ifndef PENNYWEIGHT_KECCAK_VARIANT_H
#define PENNYWEIGHT_KECCAK_VARIANT_H

#define KECCAK_RATE 136 /* bytes of a block */

#endif
