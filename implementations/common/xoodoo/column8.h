/*
 * Parts of a round of Xoodoo on a column in registers, for 8-bit machines.
 *
 * References: J. Daemen et al., "Xoodyak, a lightweight cryptographic scheme" (v2, 2021), the
 * permutation Xoodoo; names as there; AVR Instruction Set Manual (DS40002198): BST, BLD, ROL, ROR.
 *
 * A rotation by 5, 11 or 14 bits is one by whole bytes, a matter of names, and by few bits, which
 * passes the carry from byte to byte.
 */
#ifndef PENNYWEIGHT_XOODOO_COLUMN8_H
#define PENNYWEIGHT_XOODOO_COLUMN8_H

#include <stdint.h>

#include "inline.h"
#include "rotate.h"

/* (p <<< 5 ^ p <<< 14) >>> 8. */
ALWAYS_INLINE uint32_t effect(uint32_t p)
{
#if defined(__AVR__)
    uint32_t t;

    __asm__(/* p ^= p <<< 9 */
            "movw %A[t], %A[p]\n\t"
            "movw %C[t], %C[p]\n\t"
            "lsl %A[t]\n\t"
            "rol %B[t]\n\t"
            "rol %C[t]\n\t"
            "rol %D[t]\n\t"
            "adc %A[t], __zero_reg__\n\t"
            "eor %A[p], %D[t]\n\t"
            "eor %B[p], %A[t]\n\t"
            "eor %C[p], %B[t]\n\t"
            "eor %D[p], %C[t]"
            : [p] "+r"(p), [t] "=&r"(t));
    return rotr32_by_1(rotr32_by_1(rotr32_by_1(p)));
#else
    return rotr32(p ^ rotl32(p, 9), 3);
#endif
}

/* a ^= e <<< 8. */
ALWAYS_INLINE void add_effect(uint32_t *a, uint32_t e)
{
#if defined(__AVR__)
    __asm__("eor %A0, %D1\n\teor %B0, %A1\n\teor %C0, %B1\n\teor %D0, %C1" : "+r"(*a) : "r"(e));
#else
    *a ^= rotl32(e, 8);
#endif
}

/* chi on the lanes a0, a1 and a2 <<< 8. */
ALWAYS_INLINE void chi(uint32_t *a0, uint32_t *a1, uint32_t *a2)
{
#if defined(__AVR__)
    uint8_t t;

    __asm__("mov r0, %A[a1]\n\tcom r0\n\tand r0, %D[a2]\n\t"
            "mov %[t], %D[a2]\n\tcom %[t]\n\tand %[t], %A[a0]\n\t"
            "mov r1, %A[a0]\n\tcom r1\n\tand r1, %A[a1]\n\t"
            "eor %A[a0], r0\n\teor %A[a1], %[t]\n\teor %D[a2], r1\n\t"
            "mov r0, %B[a1]\n\tcom r0\n\tand r0, %A[a2]\n\t"
            "mov %[t], %A[a2]\n\tcom %[t]\n\tand %[t], %B[a0]\n\t"
            "mov r1, %B[a0]\n\tcom r1\n\tand r1, %B[a1]\n\t"
            "eor %B[a0], r0\n\teor %B[a1], %[t]\n\teor %A[a2], r1\n\t"
            "mov r0, %C[a1]\n\tcom r0\n\tand r0, %B[a2]\n\t"
            "mov %[t], %B[a2]\n\tcom %[t]\n\tand %[t], %C[a0]\n\t"
            "mov r1, %C[a0]\n\tcom r1\n\tand r1, %C[a1]\n\t"
            "eor %C[a0], r0\n\teor %C[a1], %[t]\n\teor %B[a2], r1\n\t"
            "mov r0, %D[a1]\n\tcom r0\n\tand r0, %C[a2]\n\t"
            "mov %[t], %C[a2]\n\tcom %[t]\n\tand %[t], %D[a0]\n\t"
            "mov r1, %D[a0]\n\tcom r1\n\tand r1, %D[a1]\n\t"
            "eor %D[a0], r0\n\teor %D[a1], %[t]\n\teor %C[a2], r1\n\t"
            "clr r1"
            : [a0] "+r"(*a0), [a1] "+r"(*a1), [a2] "+r"(*a2), [t] "=&r"(t)
            :
            : "r0");
#else
    const uint32_t x0 = *a0, x1 = *a1, x2 = rotl32(*a2, 8);

    *a0 ^= x2 & ~x1;
    *a1 ^= x0 & ~x2;
    *a2 ^= rotr32(x1 & ~x0, 8);
#endif
}

#endif
