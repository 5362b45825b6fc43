/*
 * What the multiplication of long numbers is made of on an 8-bit machine.
 *
 * References: AVR Instruction Set Manual (DS40002198): LD with increment and decrement, MUL.
 *
 * In C these are two lines; AVR's addressing modes and the carry of its addition are what compilers
 * make too little of.
 */
#ifndef PENNYWEIGHT_POLY1305_MULTIPLY_H
#define PENNYWEIGHT_POLY1305_MULTIPLY_H

#include <stdint.h>

#include "inline.h"

#if defined(__AVR__)

typedef __uint24 sum24;

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

#endif
#endif
