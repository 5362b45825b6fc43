/*
 * The permutation SimP.
 *
 * References: A. Bhattacharjee, E. List, C. M. Lopez, M. Nandi, "The Oribatida Family of
 * Lightweight Authenticated Encryption Schemes v1.2" (submission to NIST's lightweight cryptography
 * project, round 2, 2019), section 2.
 *
 * "variant.h" gives SIMP_WORD, 8 or 6, and SIMP_ROUNDS. The state has four words, each with its
 * most significant byte first.
 */
#ifndef PENNYWEIGHT_SIMP_H
#define PENNYWEIGHT_SIMP_H

#include <stdint.h>

#include "variant.h"

enum { SIMP_BYTES = 4 * SIMP_WORD };

/* Applies SimP with 2 or 4 steps. */
void simp_permute(uint8_t x[SIMP_BYTES], uint8_t steps);

#endif
