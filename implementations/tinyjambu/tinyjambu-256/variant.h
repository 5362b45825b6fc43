/*
 * TinyJAMBU-256.
 *
 * References: H. Wu, T. Huang, "TinyJAMBU: A Family of Lightweight Authenticated Encryption
 * Algorithms (Version 2)" (2021), sections 3.1 and 3.5.
 */
#ifndef PENNYWEIGHT_TINYJAMBU_VARIANT_H
#define PENNYWEIGHT_TINYJAMBU_VARIANT_H

#define TINYJAMBU_KEY_BYTES 32
#define TINYJAMBU_SHORT 5 /* 640 steps, as a multiple of 128: nonce, associated data, tag */
#define TINYJAMBU_LONG 10 /* 1280 steps, in the same unit:key, message, tag */

#endif
