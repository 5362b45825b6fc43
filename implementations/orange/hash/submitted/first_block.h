/*
 * The part of the first block that is added to the second half of the state with a message's second
 * block, in the submitted reference code, which departs from the specification: all but its byte 0
 * (it copies byte i of the block before where i plus the bytes taken is above 16, not where it is
 * at least 16). No published answer reveals this, since all their messages begin with 00.
 *
 * References: B. Chakraborty, M. Nandi, "ORANGE" (submission to NIST's lightweight cryptography
 * project, round 2, 2019), section 3, and its reference code, crypto_hash/orangishv1.
 */
#ifndef PENNYWEIGHT_ORANGISH_FIRST_BLOCK_H
#define PENNYWEIGHT_ORANGISH_FIRST_BLOCK_H

#define FIRST_BYTE_TAKEN_AGAIN 0

#endif
