/*
 * ACE, cipher and hash.
 *
 * References: "ACE" (2019), sections 2.3 to 2.6 (see sliscp.h).
 */
#ifndef PENNYWEIGHT_SLISCP_VARIANT_H
#define PENNYWEIGHT_SLISCP_VARIANT_H

#define SLISCP_BLOCKS 5
#define SLISCP_WORD_BYTES 4
#define SLISCP_RATE 8
#define SLISCP_STEPS 16         /* at the start and at the end */
#define SLISCP_STEPS_BETWEEN 16 /* between blocks */
#define SLISCP_FIRST 0
#define SLISCP_SECOND 16

/* Positions of the halves of key and nonce at the start; the tag is at the key's position. */
#define SLISCP_KEY_0 0
#define SLISCP_KEY_1 16
#define SLISCP_NONCE_0 8
#define SLISCP_NONCE_1 32

#endif
