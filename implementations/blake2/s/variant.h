/*
 * BLAKE2s: words of 32 bits, 10 rounds, rotations by 16, 12, 8 and 7.
 *
 * References: RFC 7693 (2015), section 2.1; same names.
 */
#ifndef PENNYWEIGHT_BLAKE2_VARIANT_H
#define PENNYWEIGHT_BLAKE2_VARIANT_H

#include <stdint.h>

#include "bytes.h"
#include "keep.h"
#include "rotate.h"

typedef uint32_t blake2_word;

/* bb, r, R1 to R4. */
#define BLAKE2_BLOCK 64
#define BLAKE2_ROUNDS 10
#define BLAKE2_R1 16
#define BLAKE2_R2 12
#define BLAKE2_R3 8
#define BLAKE2_R4 7

/* a + b + x. On AVR, b is added before x is loaded; otherwise G needs more words at a time than fit
 * into registers. */
static inline uint32_t blake2_add3(uint32_t a, uint32_t b, uint32_t x)
{
#if defined(__AVR__)
    a += b;
    KEEP(a);
    a += x;
    KEEP(a);
    return a;
#else
    return a + (b + x);
#endif
}

/* Operations on words. */
#define BLAKE2_ADD(a, b) ((a) + (b))
#define BLAKE2_ADD3 blake2_add3
#define BLAKE2_ROTATE rotr32
#define BLAKE2_LOAD load32_le
#define BLAKE2_STORE store32_le

/* The word from the two 32-bit halves of IV[i]; BLAKE2s uses the upper halves. */
#define BLAKE2_IV(upper, lower) (upper)

#endif
