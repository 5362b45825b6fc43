/*
 * BLAKE2b: words of 64 bits, 12 rounds, rotations by 32, 24, 16 and 63.
 *
 * References: RFC 7693 (2015), section 2.1; same names.
 */
#ifndef PENNYWEIGHT_BLAKE2_VARIANT_H
#define PENNYWEIGHT_BLAKE2_VARIANT_H

#include <stdint.h>

#include "add64.h"
#include "bytes.h"
#include "rotate64.h"

typedef uint64_t blake2_word;

/* bb, r, R1 to R4. */
#define BLAKE2_BLOCK 128
#define BLAKE2_ROUNDS 12
#define BLAKE2_R1 32
#define BLAKE2_R2 24
#define BLAKE2_R3 16
#define BLAKE2_R4 63

/* Operations on words. */
#define BLAKE2_ADD add64
#define BLAKE2_ADD3(a, b, x) add64(a, add64(b, x))
#define BLAKE2_ROTATE rotr64
#define BLAKE2_LOAD load64_le

#if defined(__AVR__) && !defined(__clang__)

/* Writes the bytes of `x`. For a shift by 32 bits, the compiler would call a function. */
static inline void blake2_store(uint8_t *p, uint64_t x)
{
    rotate64_parts parts;

    parts.word = x;
    store32_le(p, parts.half[0]);
    store32_le(p + 4, parts.half[1]);
}

/* The word from the two 32-bit halves of IV[i]; BLAKE2s uses the upper halves. */
static inline uint64_t blake2_join(uint32_t upper, uint32_t lower)
{
    rotate64_parts parts;

    parts.half[0] = lower;
    parts.half[1] = upper;
    return parts.word;
}

#define BLAKE2_STORE blake2_store
#define BLAKE2_IV blake2_join

#else

/* The same. Here, a shift by 32 bits only renames words. */
#define BLAKE2_STORE store64_le
#define BLAKE2_IV(upper, lower) ((uint64_t)(upper) << 32 | (lower))

#endif

#endif
