/*
 * Oribatida-256-64: SimP-256.
 *
 * References: A. Bhattacharjee, E. List, C. M. Lopez, M. Nandi, "The Oribatida Family of
 * Lightweight Authenticated Encryption Schemes v1.2" (submission to NIST's lightweight cryptography
 * project, round 2, 2019).
 */
#ifndef PENNYWEIGHT_ORIBATIDA_VARIANT_H
#define PENNYWEIGHT_ORIBATIDA_VARIANT_H

#define SIMP_WORD 8      /* bytes of a word of Simon */
#define SIMP_ROUNDS 34   /* r, of Simon in a step */
#define ORIBATIDA_MASK 8 /* s, bytes of the mask */

#endif
