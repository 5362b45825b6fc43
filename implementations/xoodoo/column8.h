/*
 * Parts of a round of Xoodoo on a column in registers, for 8-bit machines.
 *
 * References: J. Daemen et al., "Xoodyak, a lightweight cryptographic scheme" (v2, 2021), the
 * permutation Xoodoo; same names; AVR Instruction Set Manual (DS40002198): BST, BLD, ROL, ROR.
 *
 * A rotation by 5, 11 or 14 bits is one by whole bytes, which only renames registers, and one by
 * few bits, which passes the carry from byte to byte.
 */
#ifndef PENNYWEIGHT_XOODOO_COLUMN8_H
#define PENNYWEIGHT_XOODOO_COLUMN8_H

#include <stdint.h>

#include "inline.h"
#include "rotate.h"

/* a ^= e <<< 8. */
ALWAYS_INLINE void add_effect(uint32_t *a, uint32_t e)
{
#if defined(__AVR__) && !defined(__clang__)
    __asm__("eor %A0, %D1\n\teor %B0, %A1\n\teor %C0, %B1\n\teor %D0, %C1" : "+&r"(*a) : "r"(e));
#else
    *a ^= rotl32(e, 8);
#endif
}

/* (p <<< 5 ^ p <<< 14) >>> 8. */
ALWAYS_INLINE uint32_t effect(uint32_t p)
{
    uint32_t e;

    p = rotr32(p, 2);
    e = rotr32(p, 1);
    add_effect(&e, p);
    return e;
}

/* chi on the lanes a0, a1 and a2 <<< 8. The assembly may take one lane after another: a0 changes
 * only where a1 has no bits and a2 has some, and a2 only where a0 has none and a1 has some, so
 * neither affects later changes. */
ALWAYS_INLINE void chi(uint32_t *a0, uint32_t *a1, uint32_t *a2)
{
#if defined(__AVR__) && !defined(__clang__)
    __asm__("mov r0, %A[a1]\n\tcom r0\n\tand r0, %D[a2]\n\teor %A[a0], r0\n\t"
            "mov r0, %A[a0]\n\tcom r0\n\tand r0, %A[a1]\n\teor %D[a2], r0\n\t"
            "mov r0, %D[a2]\n\tcom r0\n\tand r0, %A[a0]\n\teor %A[a1], r0\n\t"
            "mov r0, %B[a1]\n\tcom r0\n\tand r0, %A[a2]\n\teor %B[a0], r0\n\t"
            "mov r0, %B[a0]\n\tcom r0\n\tand r0, %B[a1]\n\teor %A[a2], r0\n\t"
            "mov r0, %A[a2]\n\tcom r0\n\tand r0, %B[a0]\n\teor %B[a1], r0\n\t"
            "mov r0, %C[a1]\n\tcom r0\n\tand r0, %B[a2]\n\teor %C[a0], r0\n\t"
            "mov r0, %C[a0]\n\tcom r0\n\tand r0, %C[a1]\n\teor %B[a2], r0\n\t"
            "mov r0, %B[a2]\n\tcom r0\n\tand r0, %C[a0]\n\teor %C[a1], r0\n\t"
            "mov r0, %D[a1]\n\tcom r0\n\tand r0, %C[a2]\n\teor %D[a0], r0\n\t"
            "mov r0, %D[a0]\n\tcom r0\n\tand r0, %D[a1]\n\teor %C[a2], r0\n\t"
            "mov r0, %C[a2]\n\tcom r0\n\tand r0, %D[a0]\n\teor %D[a1], r0"
            : [a0] "+r"(*a0), [a1] "+r"(*a1), [a2] "+r"(*a2)
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
