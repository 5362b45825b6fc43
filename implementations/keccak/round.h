/*
 * A round of Keccak-p, for any width and representation of lanes.
 *
 * References: FIPS 202 (2015), sections 3.2 and 3.3: theta, rho, pi, chi, iota; same names.
 *
 * The representation, in lanes/, is included before and defines keccak_lane and
 *   KECCAK_XOR(a, b)     a ^ b
 *   KECCAK_CHI(a, b, c)  a ^ (~b & c)
 *   KECCAK_ROL(a, n)     a rotated left by n, 0 <= n < 64, modulo the width of a lane
 */
#ifndef PENNYWEIGHT_KECCAK_ROUND_H
#define PENNYWEIGHT_KECCAK_ROUND_H

#include "inline.h"
#include "keep.h"

/* Lane (x, y) of `a`, for which D[x] has been added, rotated by rho's offset. */
#define KECCAK_RHO(a, d, x, y, n) KECCAK_ROL(KECCAK_XOR((a)[(x) + 5 * (y)], (d)[x]), n)

/* The parity of column x. */
#define KECCAK_COLUMN(a, x)                                                                        \
    KECCAK_XOR(                                                                                    \
        KECCAK_XOR(KECCAK_XOR((a)[x], (a)[(x) + 5]), KECCAK_XOR((a)[(x) + 10], (a)[(x) + 15])),    \
        (a)[(x) + 20])

/* Chi on a plane. */
#define KECCAK_PLANE(e, b0, b1, b2, b3, b4)                                                        \
    do {                                                                                           \
        (e)[0] = KECCAK_CHI(b0, b1, b2);                                                           \
        (e)[1] = KECCAK_CHI(b1, b2, b3);                                                           \
        (e)[2] = KECCAK_CHI(b2, b3, b4);                                                           \
        (e)[3] = KECCAK_CHI(b3, b4, b0);                                                           \
        (e)[4] = KECCAK_CHI(b4, b0, b1);                                                           \
    } while (0)

/* A whole round except iota, from the lanes `a` to the lanes `e`, lane (x, y) at x + 5 y. Pi moves
 * (x + 3 y, x) to (x, y). */
ALWAYS_INLINE void keccak_round(keccak_lane *e, const keccak_lane *a)
{
    keccak_lane d[5];
    {
        const keccak_lane c0 = KECCAK_COLUMN(a, 0), c1 = KECCAK_COLUMN(a, 1);
        const keccak_lane c2 = KECCAK_COLUMN(a, 2), c3 = KECCAK_COLUMN(a, 3);
        const keccak_lane c4 = KECCAK_COLUMN(a, 4);

        d[0] = KECCAK_XOR(c4, KECCAK_ROL(c1, 1));
        d[1] = KECCAK_XOR(c0, KECCAK_ROL(c2, 1));
        d[2] = KECCAK_XOR(c1, KECCAK_ROL(c3, 1));
        d[3] = KECCAK_XOR(c2, KECCAK_ROL(c4, 1));
        d[4] = KECCAK_XOR(c3, KECCAK_ROL(c0, 1));
    }
    {
        const keccak_lane b0 = KECCAK_RHO(a, d, 0, 0, 0), b1 = KECCAK_RHO(a, d, 1, 1, 44);
        const keccak_lane b2 = KECCAK_RHO(a, d, 2, 2, 43), b3 = KECCAK_RHO(a, d, 3, 3, 21);
        const keccak_lane b4 = KECCAK_RHO(a, d, 4, 4, 14);

        KECCAK_PLANE(e, b0, b1, b2, b3, b4);
    }
    {
        const keccak_lane b0 = KECCAK_RHO(a, d, 3, 0, 28), b1 = KECCAK_RHO(a, d, 4, 1, 20);
        const keccak_lane b2 = KECCAK_RHO(a, d, 0, 2, 3), b3 = KECCAK_RHO(a, d, 1, 3, 45);
        const keccak_lane b4 = KECCAK_RHO(a, d, 2, 4, 61);

        KECCAK_PLANE(e + 5, b0, b1, b2, b3, b4);
    }
    {
        const keccak_lane b0 = KECCAK_RHO(a, d, 1, 0, 1), b1 = KECCAK_RHO(a, d, 2, 1, 6);
        const keccak_lane b2 = KECCAK_RHO(a, d, 3, 2, 25), b3 = KECCAK_RHO(a, d, 4, 3, 8);
        const keccak_lane b4 = KECCAK_RHO(a, d, 0, 4, 18);

        KECCAK_PLANE(e + 10, b0, b1, b2, b3, b4);
    }
    {
        const keccak_lane b0 = KECCAK_RHO(a, d, 4, 0, 27), b1 = KECCAK_RHO(a, d, 0, 1, 36);
        const keccak_lane b2 = KECCAK_RHO(a, d, 1, 2, 10), b3 = KECCAK_RHO(a, d, 2, 3, 15);
        const keccak_lane b4 = KECCAK_RHO(a, d, 3, 4, 56);

        KECCAK_PLANE(e + 15, b0, b1, b2, b3, b4);
    }
    {
        const keccak_lane b0 = KECCAK_RHO(a, d, 2, 0, 62), b1 = KECCAK_RHO(a, d, 3, 1, 55);
        const keccak_lane b2 = KECCAK_RHO(a, d, 4, 2, 39), b3 = KECCAK_RHO(a, d, 0, 3, 41);
        const keccak_lane b4 = KECCAK_RHO(a, d, 1, 4, 2);

        KECCAK_PLANE(e + 20, b0, b1, b2, b3, b4);
    }
}

#endif
