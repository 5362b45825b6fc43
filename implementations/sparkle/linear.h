/*
 * The linear layer of Sparkle.
 *
 * References: C. Beierle et al., "Schwaemm and Esch" (v1.2, 2021), section 2.1; same names.
 *
 * Words are stored with their least significant byte first.
 */
#ifndef PENNYWEIGHT_SPARKLE_LINEAR_H
#define PENNYWEIGHT_SPARKLE_LINEAR_H

#include <stdint.h>

#include "inline.h"
#include "keep.h"
#include "order.h"
#include "unroll.h"
#include "variant.h"

/* l(x) = (x + (x << 16)) <<< 16. */
static inline uint32_t ell(uint32_t x)
{
    x ^= x << 16;
    return x << 16 | x >> 16;
}

/* The sum of the words x or y of the left branches, the first of which is at `s`, through l. */
ALWAYS_INLINE uint32_t sum(const uint32_t *s)
{
    uint32_t t = s[0];

    UNROLL
    for (unsigned i = 2; i < SPARKLE_BRANCHES; i += 2) {
        t ^= s[i];
    }
    return little_endian32(ell(little_endian32(t)));
}

/* For the words x or y of all branches, the first of which is at `s`: the left branches become
 * right ones; the sum of both and `t` becomes the left branch before. */
ALWAYS_INLINE void mix(uint32_t *s, uint32_t t)
{
    const uint32_t first = s[0];

    UNROLL
    for (unsigned i = 0; i < SPARKLE_BRANCHES - 2; i += 2) {
        const uint32_t left = s[i + 2];

        s[i] = s[SPARKLE_BRANCHES + i + 2] ^ left ^ t;
        s[SPARKLE_BRANCHES + i + 2] = left;
    }
    s[SPARKLE_BRANCHES - 2] = s[SPARKLE_BRANCHES] ^ first ^ t;
    s[SPARKLE_BRANCHES] = first;
}

/* All of the linear layer, with too few registers for the state: KEEP_POINTER reloads it. */
ALWAYS_INLINE uint32_t *linear_layer(uint32_t *s)
{
    const uint32_t tx = sum(s), ty = sum(s + 1);

    KEEP_POINTER(s);
    mix(s, ty);
    KEEP_POINTER(s);
    mix(s + 1, tx);
    return s;
}

#endif
