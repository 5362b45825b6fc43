/*
 * The constants of Ascon's permutations.
 *
 * References: NIST SP 800-232 (2025), section 3.2, table 5; Ascon v1.2 (2021), section 2.6.1.
 *
 * Each round's constant is 0x0f less than the one before, and the last is 0x4b, whatever the number
 * of rounds: a permutation is named by its first constant.
 */
#ifndef PENNYWEIGHT_ASCON_CONSTANTS_H
#define PENNYWEIGHT_ASCON_CONSTANTS_H

#define ASCON_12_ROUNDS 0xf0
#define ASCON_8_ROUNDS 0xb4
#define ASCON_6_ROUNDS 0x96
#define ASCON_1_ROUND 0x4b

#define ASCON_STEP 0x0f /* from one round's constant down to the next */
#define ASCON_END 0x3c  /* the constant that would follow the last */

#endif
