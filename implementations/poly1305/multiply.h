/*
 * The steps of a multiplication of long numbers on an 8-bit machine.
 *
 * References: AVR Instruction Set Manual (DS40002198): LD with increment and decrement, MUL.
 * MSP430x1xx Family User's Guide (SLAU049), section 3.4: SWPB.
 *
 * In C these are a few lines; compilers underuse AVR's addressing modes and its
 * carry.
 */
#ifndef PENNYWEIGHT_POLY1305_MULTIPLY_H
#define PENNYWEIGHT_POLY1305_MULTIPLY_H

#include <limits.h>
#include <stdint.h>

#include "inline.h"

#if defined(__AVR_HAVE_MUL__) && !defined(__clang__)

typedef __uint24 sum24;
typedef uint16_t sum16;

/* *p++ */
ALWAYS_INLINE uint8_t next(const uint8_t **p)
{
    uint8_t byte;

    __asm__("ld %0, %a1+" : "=r"(byte), "+x"(*p) : : "memory");
    return byte;
}

/* *--p */
ALWAYS_INLINE uint8_t previous(const uint8_t **p)
{
    uint8_t byte;

    __asm__("ld %0, -%a1" : "=r"(byte), "+z"(*p) : : "memory");
    return byte;
}

/* *sum += x y */
ALWAYS_INLINE void multiply_add(sum24 *sum, uint8_t x, uint8_t y)
{
    __asm__("mul %1, %2\n\tadd %A0, r0\n\tadc %B0, r1\n\tclr r1\n\tadc %C0, r1"
            : "+r"(*sum)
            : "r"(x), "r"(y)
            : "r0");
}

/* One byte of a = 2^8 a + x r, from the lowest up: *sum is the carry from the last byte, at most
 * 2^15, *below the byte that replaces *(*a). */
ALWAYS_INLINE void shift_multiply_add(sum16 *sum, uint8_t *below, uint8_t **a, uint8_t x,
                                      const uint8_t **r)
{
    __asm__("add %A0, %1\n\tadc %B0, r1\n\tld %1, %a2\n\tld r0, %a3+\n\tmul %4, r0\n\t"
            "add %A0, r0\n\tst %a2+, %A0\n\tmov %A0, %B0\n\tclr %B0\n\tadc %A0, r1\n\t"
            "clr r1\n\tadc %B0, r1"
            : "+&r"(*sum), "+&r"(*below), "+&z"(*a), "+&x"(*r)
            : "r"(x)
            : "r0", "memory");
}

#else

typedef uint32_t sum24;

ALWAYS_INLINE uint8_t next(const uint8_t **p)
{
    return *(*p)++;
}

ALWAYS_INLINE uint8_t previous(const uint8_t **p)
{
    return *--*p;
}

ALWAYS_INLINE void multiply_add(sum24 *sum, uint8_t x, uint8_t y)
{
    *sum += (unsigned)x * y;
}

/* x / 2^8. On MSP430, GCC would call a function that shifts bit by bit. */
ALWAYS_INLINE uint8_t upper_byte(uint16_t x)
{
#if defined(__GNUC__) && defined(__MSP430__)
    __asm__("swpb %0" : "+r"(x));
    return (uint8_t)x;
#else
    return (uint8_t)(x >> 8);
#endif
}

/* Whether a word can hold every sum of a product. */
#ifndef POLY1305_LONG_SUM
#define POLY1305_LONG_SUM (UINT_MAX > 0xffff)
#endif

#if POLY1305_LONG_SUM
typedef uint32_t sum16;
#else
typedef uint16_t sum16;
#endif

ALWAYS_INLINE void shift_multiply_add(sum16 *sum, uint8_t *below, uint8_t **a, uint8_t x,
                                      const uint8_t **r)
{
    const unsigned product = (unsigned)x * *(*r)++;
    const uint8_t old = **a;
#if POLY1305_LONG_SUM
    *sum += *below + product;
    *(*a)++ = (uint8_t)*sum;
    *sum >>= 8;
#else
    *sum = (uint16_t)(*sum + *below + (uint8_t)product);
    *(*a)++ = (uint8_t)*sum;
    *sum = (uint16_t)(upper_byte(*sum) + upper_byte((uint16_t)product));
#endif
    *below = old;
}

#endif
#endif
