/*
 * The ARX-box Alzette for 8-bit machines.
 *
 * References: C. Beierle et al., "Schwaemm and Esch" (v1.2, 2021), section 2.1; same names; AVR
 * Instruction Set Manual (DS40002198): ADC, BST, BLD, ROL, ROR.
 *
 * All rotations are by whole bytes, which only renames registers, and at most one bit. Rotations by
 * one bit and additions pass the carry from byte to byte; compilers use it only for additions.
 */
#ifndef PENNYWEIGHT_SPARKLE_ALZETTE8_H
#define PENNYWEIGHT_SPARKLE_ALZETTE8_H

#include <stdint.h>

#include "inline.h"
#include "rotate.h"

/* A_c. */
ALWAYS_INLINE void alzette(uint32_t *x, uint32_t *y, uint32_t c)
{
#if defined(__AVR__) && !defined(__clang__)
    uint32_t t;

    __asm__(/* x += y >>> 31 */
            "movw %A[t], %A[y]\n\t"
            "movw %C[t], %C[y]\n\t"
            "lsl %A[t]\n\t"
            "rol %B[t]\n\t"
            "rol %C[t]\n\t"
            "rol %D[t]\n\t"
            "adc %A[t], __zero_reg__\n\t"
            "add %A[x], %A[t]\n\t"
            "adc %B[x], %B[t]\n\t"
            "adc %C[x], %C[t]\n\t"
            "adc %D[x], %D[t]\n\t"
            /* y ^= x >>> 24 */
            "eor %A[y], %D[x]\n\t"
            "eor %B[y], %A[x]\n\t"
            "eor %C[y], %B[x]\n\t"
            "eor %D[y], %C[x]\n\t"
            /* x ^= c */
            "eor %A[x], %A[c]\n\t"
            "eor %B[x], %B[c]\n\t"
            "eor %C[x], %C[c]\n\t"
            "eor %D[x], %D[c]\n\t"
            /* x += y >>> 17 */
            "movw %A[t], %C[y]\n\t"
            "movw %C[t], %A[y]\n\t"
            "bst %A[t], 0\n\t"
            "ror %D[t]\n\t"
            "ror %C[t]\n\t"
            "ror %B[t]\n\t"
            "ror %A[t]\n\t"
            "bld %D[t], 7\n\t"
            "add %A[x], %A[t]\n\t"
            "adc %B[x], %B[t]\n\t"
            "adc %C[x], %C[t]\n\t"
            "adc %D[x], %D[t]\n\t"
            /* y ^= x >>> 17 */
            "movw %A[t], %C[x]\n\t"
            "movw %C[t], %A[x]\n\t"
            "bst %A[t], 0\n\t"
            "ror %D[t]\n\t"
            "ror %C[t]\n\t"
            "ror %B[t]\n\t"
            "ror %A[t]\n\t"
            "bld %D[t], 7\n\t"
            "eor %A[y], %A[t]\n\t"
            "eor %B[y], %B[t]\n\t"
            "eor %C[y], %C[t]\n\t"
            "eor %D[y], %D[t]\n\t"
            /* x ^= c */
            "eor %A[x], %A[c]\n\t"
            "eor %B[x], %B[c]\n\t"
            "eor %C[x], %C[c]\n\t"
            "eor %D[x], %D[c]\n\t"
            /* x += y */
            "add %A[x], %A[y]\n\t"
            "adc %B[x], %B[y]\n\t"
            "adc %C[x], %C[y]\n\t"
            "adc %D[x], %D[y]\n\t"
            /* y ^= x >>> 31 */
            "movw %A[t], %A[x]\n\t"
            "movw %C[t], %C[x]\n\t"
            "lsl %A[t]\n\t"
            "rol %B[t]\n\t"
            "rol %C[t]\n\t"
            "rol %D[t]\n\t"
            "adc %A[t], __zero_reg__\n\t"
            "eor %A[y], %A[t]\n\t"
            "eor %B[y], %B[t]\n\t"
            "eor %C[y], %C[t]\n\t"
            "eor %D[y], %D[t]\n\t"
            /* x ^= c */
            "eor %A[x], %A[c]\n\t"
            "eor %B[x], %B[c]\n\t"
            "eor %C[x], %C[c]\n\t"
            "eor %D[x], %D[c]\n\t"
            /* x += y >>> 24 */
            "add %A[x], %D[y]\n\t"
            "adc %B[x], %A[y]\n\t"
            "adc %C[x], %B[y]\n\t"
            "adc %D[x], %C[y]\n\t"
            /* y ^= x >>> 16 */
            "eor %A[y], %C[x]\n\t"
            "eor %B[y], %D[x]\n\t"
            "eor %C[y], %A[x]\n\t"
            "eor %D[y], %B[x]\n\t"
            /* x ^= c */
            "eor %A[x], %A[c]\n\t"
            "eor %B[x], %B[c]\n\t"
            "eor %C[x], %C[c]\n\t"
            "eor %D[x], %D[c]"
            : [x] "+&r"(*x), [y] "+&r"(*y), [t] "=&r"(t)
            : [c] "r"(c));
#else
    *x += rotr32(*y, 31);
    *y ^= rotr32(*x, 24);
    *x ^= c;
    *x += rotr32(*y, 17);
    *y ^= rotr32(*x, 17);
    *x ^= c;
    *x += *y;
    *y ^= rotr32(*x, 31);
    *x ^= c;
    *x += rotr32(*y, 24);
    *y ^= rotr32(*x, 16);
    *x ^= c;
#endif
}

#endif
