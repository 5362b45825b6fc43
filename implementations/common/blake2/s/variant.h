/*
 * BLAKE2s: words of 32 bits, 10 rounds, rotations by 16, 12, 8 and 7.
 *
 * References: RFC 7693 (2015), section 2.1; names as there.
 */
#ifndef PENNYWEIGHT_BLAKE2_VARIANT_H
#define PENNYWEIGHT_BLAKE2_VARIANT_H

#include <stdint.h>

#include "bytes.h"
#include "rotate.h"

typedef uint32_t blake2_word;

/* bb, r, R1 to R4. */
#define BLAKE2_BLOCK 64
#define BLAKE2_ROUNDS 10
#define BLAKE2_R1 16
#define BLAKE2_R2 12
#define BLAKE2_R3 8
#define BLAKE2_R4 7

/* Operations on words. */
#define BLAKE2_ADD(a, b) ((a) + (b))
#define BLAKE2_ROTATE rotr32
#define BLAKE2_LOAD load32_le
#define BLAKE2_STORE store32_le

/* The word of the two halves of 32 bits of IV[i]: BLAKE2s has the upper ones. */
#define BLAKE2_IV(upper, lower) (upper)

#endif
