/*
 * SpoC-64, on sLiSCP-light-192.
 *
 * References: R. AlTawy et al., "SpoC: An Authenticated Cipher, Submission to the NIST LWC
 * Competition" (2019), section 2.
 */
#ifndef PENNYWEIGHT_SLISCP_VARIANT_H
#define PENNYWEIGHT_SLISCP_VARIANT_H

#define SLISCP_BLOCKS 4
#define SLISCP_WORD_BYTES 3
#define SLISCP_STEPS 18
#define SLISCP_RATE 8
#define SLISCP_FIRST 0
#define SLISCP_SECOND 12

#endif
