/*
 * Sums of 64-bit words that may be secret.
 *
 * On most cores compilers use additions with carry, or comparisons whose result is a number. Xtensa
 * has neither, and gcc branches on the sum's lower half. There, the carry is computed bitwise: a +
 * b = 2 (a & b) + (a ^ b), so that (a & b) + ((a ^ b) >> 1) is half of the sum, rounded down, and
 * its highest bit the carry.
 *
 * MSP430 has a carry, which gcc does not use between 32-bit halves: it also branches.
 *
 * References: H. S. Warren, "Hacker's Delight", 2nd edition (2012), section 2-5 (the average of two
 * words); Xtensa Instruction Set Architecture (ISA) Reference Manual (Cadence, 2010), chapter 6;
 * MSP430x1xx Family User's Guide (SLAU049), section 3.4: ADDC.
 */
#ifndef PENNYWEIGHT_UTIL_ADD64_H
#define PENNYWEIGHT_UTIL_ADD64_H

#include <stdint.h>

#if defined(__XTENSA__)

#include "inline.h"

/* a + b modulo 2^64. The empty assembly makes the compiler finish one sum before the next:
 * interleaved, they need too many registers. */
ALWAYS_INLINE uint64_t add64(uint64_t a, uint64_t b)
{
    const uint32_t x = (uint32_t)a, y = (uint32_t)b;
    const uint32_t carry = ((x & y) + ((x ^ y) >> 1)) >> 31;
    uint32_t low = x + y, high = (uint32_t)(a >> 32) + (uint32_t)(b >> 32) + carry;

    __asm__ volatile("" : "+r"(low), "+r"(high));
    return (uint64_t)high << 32 | low;
}

#elif defined(__MSP430__) && defined(__GNUC__) && !defined(__clang__)

#include "inline.h"

/* The same. R2 is the status register. */
ALWAYS_INLINE uint64_t add64(uint64_t a, uint64_t b)
{
    __asm__("add %A1, %A0\n\taddc %B1, %B0\n\taddc %C1, %C0\n\taddc %D1, %D0"
            : "+&r"(a)
            : "r"(b)
            : "R2");
    return a;
}

#else

/* The same. A macro, because some compilers schedule sums of function results worse. */
#define add64(a, b) ((uint64_t)(a) + (b))

#endif
#endif
