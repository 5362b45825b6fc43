/*
 * Operations of WAGE on bits: values into bit planes and out of them, WGP of two values, products
 * with omega; all in the normal basis of circuits.h.
 *
 * References: M. Aagaard, R. AlTawy, G. Gong, K. Mandal, R. Rohit, N. Zidaric, "WAGE: An
 * Authenticated Cipher" (submission to NIST's lightweight cryptography project, round 2, 2019),
 * section 2; same names. AVR Instruction Set Manual (DS40002198): BLD, BST, LSR, ROL,
 * ROR, SBC. MSP430x1xx Family User's Guide (SLAU049), section 3.4: INV, RLC, RRA, RRC, SUBC, SWPB.
 *
 * A value is in the lower seven bits of a byte; the eighth is ignored. Compilers do not pass bits
 * through the carry and, for MSP430, do not use SWPB as a shift.
 */
#ifndef PENNYWEIGHT_WAGE_LANES_H
#define PENNYWEIGHT_WAGE_LANES_H

#include <stdint.h>

#include "circuits.h"
#include "inline.h"
#include "keep.h"
#include "unroll.h"

#if defined(__MSP430__) && defined(__GNUC__) && !defined(__clang__)
#define MSP430_ASSEMBLY
#endif

enum { LANES = 8 };

/* Shifts the planes' lanes down and inserts a value in the highest. */
ALWAYS_INLINE void lane_in(values x[7], uint8_t value)
{
#if defined(__AVR__) && !defined(__clang__)
    __asm__("lsr %7\n\tror %0\n\tlsr %7\n\tror %1\n\tlsr %7\n\tror %2\n\tlsr %7\n\tror %3\n\t"
            "lsr %7\n\tror %4\n\tlsr %7\n\tror %5\n\tlsr %7\n\tror %6"
            : "+r"(x[0]), "+r"(x[1]), "+r"(x[2]), "+r"(x[3]), "+r"(x[4]), "+r"(x[5]), "+r"(x[6]),
              "+r"(value));
#elif defined(MSP430_ASSEMBLY)
    __asm__("rra.b %7\n\trrc.b %0\n\trra.b %7\n\trrc.b %1\n\trra.b %7\n\trrc.b %2\n\t"
            "rra.b %7\n\trrc.b %3\n\trra.b %7\n\trrc.b %4\n\trra.b %7\n\trrc.b %5\n\t"
            "rra.b %7\n\trrc.b %6"
            : "+r"(x[0]), "+r"(x[1]), "+r"(x[2]), "+r"(x[3]), "+r"(x[4]), "+r"(x[5]), "+r"(x[6]),
              "+r"(value)
            :
            : "R2");
#else
    UNROLL
    for (uint8_t i = 0; i < 7; i++) {
        x[i] = (values)(x[i] >> 1 | (values)(value >> i & 1) << 7);
    }
#endif
}

/* Extracts the value in the lowest lane and shifts the others down. */
ALWAYS_INLINE uint8_t lane_out(values x[7])
{
    uint8_t value = 0;

#if defined(__AVR__) && !defined(__clang__)
    __asm__("lsr %6\n\trol %7\n\tlsr %5\n\trol %7\n\tlsr %4\n\trol %7\n\tlsr %3\n\trol %7\n\t"
            "lsr %2\n\trol %7\n\tlsr %1\n\trol %7\n\tlsr %0\n\trol %7"
            : "+r"(x[0]), "+r"(x[1]), "+r"(x[2]), "+r"(x[3]), "+r"(x[4]), "+r"(x[5]), "+r"(x[6]),
              "+r"(value));
#elif defined(MSP430_ASSEMBLY)
    __asm__("rra.b %6\n\trlc.b %7\n\trra.b %5\n\trlc.b %7\n\trra.b %4\n\trlc.b %7\n\t"
            "rra.b %3\n\trlc.b %7\n\trra.b %2\n\trlc.b %7\n\trra.b %1\n\trlc.b %7\n\t"
            "rra.b %0\n\trlc.b %7"
            : "+r"(x[0]), "+r"(x[1]), "+r"(x[2]), "+r"(x[3]), "+r"(x[4]), "+r"(x[5]), "+r"(x[6]),
              "+r"(value)
            :
            : "R2");
#else
    UNROLL
    for (uint8_t i = 0; i < 7; i++) {
        value = (uint8_t)(value | (x[i] & 1) << i);
        x[i] = (values)(x[i] >> 1);
    }
#endif
    return value;
}

/* The bits of x twice, one after the other. */
ALWAYS_INLINE uint16_t twice(uint8_t x)
{
#if defined(__AVR__) && !defined(__clang__)
    uint8_t high = x;

    __asm__("lsr %1\n\tbst %0, 0\n\tbld %0, 7" : "+r"(x), "+r"(high));
    return (uint16_t)(x | (uint16_t)high << 8);
#elif defined(MSP430_ASSEMBLY)
    uint16_t y, z;

    __asm__("mov.b %2, %0\n\tmov.b %2, %1\n\tswpb %0\n\trra %0\n\tbic.b #0x80, %1\n\tbis %1, %0"
            : "=&r"(y), "=&r"(z)
            : "r"(x)
            : "R2");
    return y;
#else
    return (uint16_t)((x & 0x7f) | (uint16_t)x << 7);
#endif
}

/* Rotates the value in the result of `twice`. */
ALWAYS_INLINE uint16_t turn(uint16_t x)
{
#if defined(MSP430_ASSEMBLY)
    __asm__("rra %0" : "+r"(x) : : "R2");
#else
    x >>= 1;
    KEEP(x);
#endif
    return x;
}

#if defined(__AVR__)

/* WGP of a value. */
ALWAYS_INLINE uint8_t wgp1(uint8_t x)
{
    const uint16_t x0 = twice(x), x1 = turn(x0), x2 = turn(x1), x3 = turn(x2), x4 = turn(x3);
    const uint16_t x5 = turn(x4), x6 = turn(x5);

    return wgp_of_rotations((uint8_t)x0, (uint8_t)x1, (uint8_t)x2, (uint8_t)x3, (uint8_t)x4,
                            (uint8_t)x5, (uint8_t)x6);
}

/* WGP of two values. */
ALWAYS_INLINE void wgp(uint8_t *s18, uint8_t *s36)
{
    *s18 = wgp1(*s18);
    KEEP(*s18);
    KEEP_AFTER(*s36, *s18);
    *s36 = wgp1(*s36);
}

#else

/* The lower bytes of two words. */
ALWAYS_INLINE uint16_t both(uint16_t low, uint16_t high)
{
#if defined(MSP430_ASSEMBLY)
    uint16_t y;

    __asm__("mov.b %1, %0" : "=r"(y) : "r"(high));
    __asm__("swpb %0" : "+r"(y));
    __asm__("mov.b %0, %0" : "+r"(low));
    return y | low;
#else
    return (uint16_t)((low & 0xff) | (uint16_t)(high << 8));
#endif
}

/* WGP of two values. */
ALWAYS_INLINE void wgp(uint8_t *s18, uint8_t *s36)
{
    const uint16_t l0 = twice(*s18), l1 = turn(l0), l2 = turn(l1), l3 = turn(l2), l4 = turn(l3);
    const uint16_t l5 = turn(l4), l6 = turn(l5);
    const uint16_t h0 = twice(*s36), h1 = turn(h0), h2 = turn(h1), h3 = turn(h2), h4 = turn(h3);
    const uint16_t h5 = turn(h4), h6 = turn(h5);
    uint16_t y = wgp_of_rotations(both(l0, h0), both(l1, h1), both(l2, h2), both(l3, h3),
                                  both(l4, h4), both(l5, h5), both(l6, h6));

    *s18 = (uint8_t)y;
#if defined(MSP430_ASSEMBLY)
    __asm__("swpb %0" : "+r"(y));
    *s36 = (uint8_t)y;
#else
    *s36 = (uint8_t)(y >> 8);
#endif
}

#endif

/* Adds a summand to a sum if the lowest bit of x is set, and shifts that bit out of x. */
ALWAYS_INLINE void add_if(uint8_t *sum, uint8_t *x, uint8_t summand)
{
    uint8_t mask;

#if defined(__AVR__) && !defined(__clang__)
    __asm__("lsr %0\n\tsbc %1, %1" : "+r"(*x), "=r"(mask));
#elif defined(MSP430_ASSEMBLY)
    __asm__("rra.b %0\n\tsubc.b %1, %1\n\tinv.b %1" : "+r"(*x), "=r"(mask) : : "R2");
#else
    mask = (uint8_t)(0 - (*x & 1));
    *x >>= 1;
#endif
    *sum = (uint8_t)(*sum ^ (mask & summand));
    KEEP(*sum);
}

/* Adds omega x to a sum. */
ALWAYS_INLINE void add_omega_times(uint8_t *sum, uint8_t x)
{
    static const uint8_t products[7] = OMEGA_PRODUCTS;

    add_if(sum, &x, products[0]);
    add_if(sum, &x, products[1]);
    add_if(sum, &x, products[2]);
    add_if(sum, &x, products[3]);
    add_if(sum, &x, products[4]);
    add_if(sum, &x, products[5]);
    add_if(sum, &x, products[6]);
}
#endif
