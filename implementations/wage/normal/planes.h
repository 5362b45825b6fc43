/*
 * Twelve values of WAGE as bit planes, and SB on them.
 *
 * References: M. Aagaard, R. AlTawy, G. Gong, K. Mandal, R. Rohit, N. Zidaric, "WAGE: An
 * Authenticated Cipher" (submission to NIST's lightweight cryptography project, round 2, 2019),
 * section 2; same names. H. S. Warren, "Hacker's Delight" (2013), section 7-3, on transposing.
 */
#ifndef PENNYWEIGHT_WAGE_PLANES_H
#define PENNYWEIGHT_WAGE_PLANES_H

#include <stdint.h>

#include "basis.h"
#include "inline.h"
#include "unroll.h"

/* Exchanges the bits of `a` that are n above those of `mask` with those of `b` in `mask`. */
ALWAYS_INLINE void exchange(uint32_t *a, uint32_t *b, uint32_t mask, uint8_t n)
{
    const uint32_t t = (*a >> n ^ *b) & mask;

    *b ^= t;
    *a ^= t << n;
}

/* Four words of values to planes: plane n, and n + 4 four bits above it, are in w[n]. Bit i of a
 * plane's byte is that of the value in this byte of what was w[i]. */
ALWAYS_INLINE void to_planes(uint32_t w[4], uint32_t x[7])
{
    exchange(&w[0], &w[1], UINT32_C(0x55555555), 1);
    exchange(&w[2], &w[3], UINT32_C(0x55555555), 1);
    exchange(&w[0], &w[2], UINT32_C(0x33333333), 2);
    exchange(&w[1], &w[3], UINT32_C(0x33333333), 2);
    UNROLL
    for (uint8_t i = 0; i < 7; i++) {
        x[i] = i < 4 ? w[i] : w[i - 4] >> 4; /* bits outside the plane are harmless */
    }
}

/* The inverse. */
ALWAYS_INLINE void from_planes(uint32_t w[4], const uint32_t x[7])
{
    const uint32_t mask = UINT32_C(0x000f0f0f);

    UNROLL
    for (uint8_t i = 0; i < 4; i++) {
        w[i] = x[i] & mask;
        if (i < 3) {
            w[i] |= (x[i + 4] & mask) << 4;
        }
    }
    exchange(&w[0], &w[2], UINT32_C(0x33333333), 2);
    exchange(&w[1], &w[3], UINT32_C(0x33333333), 2);
    exchange(&w[0], &w[1], UINT32_C(0x55555555), 1);
    exchange(&w[2], &w[3], UINT32_C(0x55555555), 1);
}

/* SB on twelve values in the normal basis. */
ALWAYS_INLINE void sb(uint32_t w[4])
{
    uint32_t x[7];

    to_planes(w, x);
    planes_from_normal(x);
    sb_of_planes(x);
    planes_to_normal(x);
    from_planes(w, x);
}

/* Converts n words, n a multiple of four, to the normal basis. */
static inline void to_normal(uint32_t *words, uint8_t n)
{
    for (uint32_t *w = words; w != words + n; w += 4) {
        uint32_t x[7];

        to_planes(w, x);
        planes_to_normal(x);
        from_planes(w, x);
    }
}

/* Converts n words, n a multiple of four, from the normal basis. */
static inline void from_normal(uint32_t *words, uint8_t n)
{
    for (uint32_t *w = words; w != words + n; w += 4) {
        uint32_t x[7];

        to_planes(w, x);
        planes_from_normal(x);
        from_planes(w, x);
    }
}

#endif
