/*
 * SPIX, on sLiSCP-light-256.
 *
 * References: R. AlTawy et al., "SPIX: An Authenticated Cipher, Submission to the NIST LWC
 * Competition" (2019), section 2.
 */
#ifndef PENNYWEIGHT_SLISCP_VARIANT_H
#define PENNYWEIGHT_SLISCP_VARIANT_H

#define SLISCP_BLOCKS 4
#define SLISCP_WORD_BYTES 4
#define SLISCP_RATE 8
#define SLISCP_STEPS 18        /* at the start and at the end */
#define SLISCP_STEPS_BETWEEN 9 /* between blocks */
#define SLISCP_FIRST 8
#define SLISCP_SECOND 24

/* Positions of the halves of key and nonce at the start; the tag is at the key's position. */
#define SLISCP_KEY_0 8
#define SLISCP_KEY_1 24
#define SLISCP_NONCE_0 0
#define SLISCP_NONCE_1 16

#endif
