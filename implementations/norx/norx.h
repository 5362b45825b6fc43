/*
 * The permutation of NORX32.
 *
 * References: J.-P. Aumasson, P. Jovanovic, S. Neves, "NORX v3.0" (2016), section 3.4; same
 * names.
 */
#ifndef PENNYWEIGHT_NORX_H
#define PENNYWEIGHT_NORX_H

#include <stdint.h>

#include "inline.h"
#include "keep.h"
#include "rotate.h"

/* l: the rounds that every call of the permutation makes. */
#define NORX_ROUNDS 4

/* F^l on the state: 16 words that are in memory with their least significant bytes first. */
void norx_permute(uint32_t s[16]);

/*
 * ARMv6-M rotates by the number in a register. Registers are too few for four numbers, so one
 * number is incremented from rotation to rotation if the source defines NORX_COUNT: NORX_ROTATION
 * declares it, NORX_ROTATE(x, n, more) rotates `x` to the right by n bits and adds `more` for the
 * next. Elsewhere rotations are by constants.
 */
#if defined(NORX_COUNT) && defined(__ARM_ARCH_ISA_THUMB) && __ARM_ARCH_ISA_THUMB == 1
#define NORX_ROTATION uint32_t rotation = 8
#define NORX_ROTATE(x, n, more)                                                                    \
    do {                                                                                           \
        KEEP(rotation);                                                                            \
        (x) = (x) >> rotation | (x) << (32 - rotation);                                            \
        rotation += (uint32_t)(more);                                                              \
    } while (0)
#else
#define NORX_ROTATION
#define NORX_ROTATE(x, n, more) ((x) = rotr32(x, n))
#endif

/* H(x, y), a sum with only the first step of its carries. */
ALWAYS_INLINE uint32_t norx_h(uint32_t x, uint32_t y)
{
    return x ^ y ^ (x & y) << 1;
}

/* G(a, b, c, d), in place. */
#define NORX_G(a, b, c, d)                                                                         \
    do {                                                                                           \
        (a) = norx_h(a, b);                                                                        \
        (d) ^= (a);                                                                                \
        NORX_ROTATE(d, 8, 3);                                                                      \
        (c) = norx_h(c, d);                                                                        \
        (b) ^= (c);                                                                                \
        NORX_ROTATE(b, 11, 5);                                                                     \
        (a) = norx_h(a, b);                                                                        \
        (d) ^= (a);                                                                                \
        NORX_ROTATE(d, 16, 15);                                                                    \
        (c) = norx_h(c, d);                                                                        \
        (b) ^= (c);                                                                                \
        NORX_ROTATE(b, 31, -23);                                                                   \
    } while (0)

#endif
