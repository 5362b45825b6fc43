/*
 * The permutation WAGE.
 *
 * References: M. Aagaard, R. AlTawy, G. Gong, K. Mandal, R. Rohit, N. Zidaric, "WAGE: An
 * Authenticated Cipher" (submission to NIST's lightweight cryptography project, round 2, 2019),
 * section 2.
 */
#ifndef PENNYWEIGHT_WAGE_H
#define PENNYWEIGHT_WAGE_H

#include <stdint.h>

/* S_0 to S_36, stages of 7 bits, the first bit of each in bit 6. */
enum { WAGE_STAGES = 37 };

/* Applies the 111 rounds. */
void wage_permute(uint8_t s[WAGE_STAGES]);

#endif
