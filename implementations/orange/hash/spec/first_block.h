/*
 * The part of the first block that is added to the second half of the state with a message's second
 * block, in the specification: the whole block.
 *
 * References: B. Chakraborty, M. Nandi, "ORANGE" (submission to NIST's lightweight cryptography
 * project, round 2, 2019), section 3, and its reference code, crypto_hash/orangishv1.
 */
#ifndef PENNYWEIGHT_ORANGISH_FIRST_BLOCK_H
#define PENNYWEIGHT_ORANGISH_FIRST_BLOCK_H

#define FIRST_BYTE_TAKEN_AGAIN 1

#endif
