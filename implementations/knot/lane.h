/*
 * Bits that pass between lanes of a row, and round constants, for machines that move by one bit.
 *
 * References: "KNOT" (2019), section 2 (see knot.h); AVR Instruction Set Manual (DS40002198): BLD,
 * BST, LSR, ROL; MSP430x1xx Family User's Guide (SLAU049), section 3.4: BIT, RLC, RRC.
 *
 * KNOT_LANE_BITS is 8 or 16.
 */
#ifndef PENNYWEIGHT_KNOT_LANE_H
#define PENNYWEIGHT_KNOT_LANE_H

#include <stdint.h>

#include "inline.h"
#include "knot.h"

#if KNOT_LANE_BITS == 8
typedef uint8_t knot_lane;
#define KNOT_SUFFIX ".b"
#else
typedef uint16_t knot_lane;
#define KNOT_SUFFIX ".w"
#endif

#if defined(__MSP430__) && defined(__GNUC__) && !defined(__clang__)

/* `x` shifted up by one bit, with bit 0 of `*carry` as bit 0. `*carry` becomes the bit shifted out.
 * R2 is the status register. */
ALWAYS_INLINE knot_lane knot_move_up(knot_lane x, knot_lane *carry)
{
    __asm__("rrc" KNOT_SUFFIX " %1\n\trlc" KNOT_SUFFIX " %0\n\trlc" KNOT_SUFFIX " %1"
            : "+r"(x), "+r"(*carry)
            :
            : "R2");
    return x;
}

/* `x` shifted down by one bit, with bit 0 of `upper` as the top bit. */
ALWAYS_INLINE knot_lane knot_move_down(knot_lane x, knot_lane upper)
{
    __asm__("bit #1, %1\n\trrc" KNOT_SUFFIX " %0" : "+r"(x) : "r"(upper) : "R2");
    return x;
}

#elif defined(__AVR__) && !defined(__clang__) && KNOT_LANE_BITS == 8

ALWAYS_INLINE knot_lane knot_move_up(knot_lane x, knot_lane *carry)
{
    __asm__("lsr %1\n\trol %0\n\trol %1" : "+r"(x), "+r"(*carry));
    return x;
}

ALWAYS_INLINE knot_lane knot_move_down(knot_lane x, knot_lane upper)
{
    __asm__("bst %1, 0\n\tlsr %0\n\tbld %0, 7" : "+r"(x) : "r"(upper));
    return x;
}

#else

ALWAYS_INLINE knot_lane knot_move_up(knot_lane x, knot_lane *carry)
{
    const knot_lane out = (knot_lane)(x >> (KNOT_LANE_BITS - 1));

    x = (knot_lane)((unsigned)x << 1 | *carry);
    *carry = out;
    return x;
}

ALWAYS_INLINE knot_lane knot_move_down(knot_lane x, knot_lane upper)
{
    return (knot_lane)(x >> 1 | (unsigned)upper << (KNOT_LANE_BITS - 1));
}

#endif

/* The next round constant (see knot_next_constant). An addition computes the sum of two adjacent
 * bits at the position of the upper one. */
ALWAYS_INLINE knot_lane knot_next_lane(knot_lane c)
{
    const unsigned top = 1u << (KNOT_LFSR_BITS - 1);
#if KNOT_LFSR_BITS == 8
    const unsigned sum = (c + 0x10u) << 2 ^ (unsigned)c << 4 ^ c;
#else
    const unsigned sum = c + top / 2;
#endif
    knot_lane next = (knot_lane)((unsigned)c << 1 & (2 * top - 1));

    if (sum & top) {
        next++;
    }
    return next;
}

#endif
