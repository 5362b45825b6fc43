/*
 * SpoC-128, on sLiSCP-light-256.
 *
 * References: R. AlTawy et al., "SpoC: An Authenticated Cipher, Submission to the NIST LWC
 * Competition" (2019), section 2.
 */
#ifndef PENNYWEIGHT_SLISCP_VARIANT_H
#define PENNYWEIGHT_SLISCP_VARIANT_H

#define SLISCP_BLOCKS 4
#define SLISCP_WORD_BYTES 4
#define SLISCP_STEPS 18
#define SLISCP_RATE 16
#define SLISCP_FIRST 0
#define SLISCP_SECOND 16

#endif
