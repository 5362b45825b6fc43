/*
 * WAGE's S-boxes and its change of basis as circuits, on bits of many values in parallel: the type
 * `values` in the representation's values.h.
 *
 * References: M. Aagaard, R. AlTawy, G. Gong, K. Mandal, R. Rohit, N. Zidaric, "WAGE: An
 * Authenticated Cipher" (submission to NIST's lightweight cryptography project, round 2, 2019),
 * section 2; same names. R. Lidl, H. Niederreiter, "Finite Fields" (1997), section 2.3, on
 * normal bases. C. Paar, "Optimized Arithmetic for Reed-Solomon Encoders" (ISIT 1997), on sums with
 * common parts.
 *
 * GF(2^7) has the normal basis of b = 0x1e: coordinate n is that of b^(2^n). WGP has its
 * coefficients in GF(2), so that WGP(x^2) = WGP(x)^2. In a normal basis b, b^2, b^4, … squaring
 * rotates the coordinates: all seven bits of WGP(x) are then one Boolean function of rotations of
 * x.
 */
#ifndef PENNYWEIGHT_WAGE_CIRCUITS_H
#define PENNYWEIGHT_WAGE_CIRCUITS_H

#include <stdint.h>

#include "inline.h"
#include "unroll.h"
#include "values.h"

/* Products of omega and the basis. */
/* clang-format off */
#define OMEGA_PRODUCTS {0x07, 0x5d, 0x0f, 0x6e, 0x02, 0x48, 0x6a}
/* clang-format on */

/* Converts bit planes from the specification's basis to this one. */
ALWAYS_INLINE void planes_to_normal(values x[7])
{
    const values x56 = x[5] ^ x[6], x26 = x[2] ^ x[6], x04 = x[0] ^ x[4];
    const values x356 = x[3] ^ x56, x246 = x[4] ^ x26, x156 = x[1] ^ x56;
    const values y1 = x[4] ^ x156, y3 = x[2] ^ x356, y6 = x[1] ^ x26;

    x[5] = x[0] ^ x246;
    x[4] = x356 ^ x04;
    x[0] = x156;
    x[1] = y1;
    x[2] = x246;
    x[3] = y3;
    x[6] = y6;
}

/* The way back: basis vectors 0x1e, 0x36, 0x27, 0x64, 0x6c, 0x6d, 0x2a. */
ALWAYS_INLINE void planes_from_normal(values x[7])
{
    const values x45 = x[4] ^ x[5], x12 = x[1] ^ x[2], x06 = x[0] ^ x[6];
    const values x345 = x[3] ^ x45, y0 = x[2] ^ x[5], y4 = x[0] ^ x[1];
    const values x12345 = x12 ^ x345;

    x[2] = x[0] ^ x12345;
    x[5] = x[6] ^ x12345;
    x[1] = x12 ^ x06;
    x[3] = x45 ^ x06;
    x[0] = y0;
    x[4] = y4;
    x[6] = x345;
}

/* R five times, each followed by a permutation of bits, and Q, where x0 is plane 6, x6 plane 0. */
ALWAYS_INLINE void sb_of_planes(values x[7])
{
    values x0 = x[6], x1 = x[5], x2 = x[4], x3 = x[3], x4 = x[2], x5 = x[1], x6 = x[0];

    UNROLL
    for (uint8_t i = 0; i < 5; i++) {
        const values t = x0 ^ (x2 & x3);

        x0 = x6;
        x6 = x1;
        x1 = (values)(x3 ^ ~(x5 & x0));
        x5 ^= (values) ~(x2 & x4);
        x3 = x4;
        x4 = x2;
        x2 = t;
    }
    x0 ^= x2 & x3;
    x3 ^= (values) ~(x5 & x6);
    x5 ^= (values) ~(x2 & x4);
    x[6] = (values)~x0;
    x[5] = x1;
    x[4] = (values)~x2;
    x[3] = x3;
    x[2] = x4;
    x[1] = x5;
    x[0] = x6;
}

/* WGP of values, in the normal basis, where xn has bit n as bit 0, and so on cyclically. */
ALWAYS_INLINE values wgp_of_rotations(values x0, values x1, values x2, values x3, values x4,
                                      values x5, values x6)
{
    values a, b, c;

    /* If x1: */
    a = (values)((x4 & ~x6) ^ x5);
    a = (values)(x2 | ((x3 & ~a) ^ x6 ^ (~x4 & (x0 | (x5 & x6)))));
    b = (values)((x4 & ~x5) | (x0 & ~(x4 ^ x6)));
    b ^= (values)(~x3 & ~(x0 & ~x5) & (x4 ^ (~x5 & x6)));
    a = (values) ~(a ^ b);
    /* If not: */
    b = (values)(x2 | (x0 & x5) | ((x3 ^ x5) & (x0 | x6)));
    b ^= (values)(x5 ^ (x3 & (x0 ^ x6)));
    c = (values)(x6 | (x2 & x5 & (x0 ^ x3)));
    b ^= (values)(~x4 & (c ^ (x3 & (x0 | x5))));
    return (values)(b ^ (x1 & (a ^ b)));
}

#endif
