/*
 * 32 steps of TinyJAMBU's permutation on halves of words, for 8-bit and 16-bit machines.
 *
 * References: H. Wu, T. Huang, "TinyJAMBU" (Version 2, 2021), section 3.2.3; AVR Instruction Set
 * Manual (DS40002198): ROL, MUL.
 *
 * A tap at bit 8 i + j of the state is the bytes from the i-th on, shifted right by j bits, or from
 * the next one on, shifted left by 8 - j. AVR shifts a string by one bit by passing the carry from
 * byte to byte, and a byte by several bits at once with a multiplication; compilers do neither. The
 * taps at 47, 70 and 85 need one, two and three bits, so one string serves all, if s47 is added 32
 * steps early.
 */
#ifndef PENNYWEIGHT_TINYJAMBU_STEPS_H
#define PENNYWEIGHT_TINYJAMBU_STEPS_H

#include <stdint.h>

#include "inline.h"

/* 32 bits of the state: bits 0 to 15, and 16 to 31. */
typedef struct {
    uint16_t low, high;
} word;

/* Adds s47 of 32 steps to `s0`, the first of three successive words of the state. */
ALWAYS_INLINE void add_s47(word *s0, const word *s1, const word *s2)
{
    s0->low ^= (uint16_t)(s1->low >> 15 | s1->high << 1);
    s0->high ^= (uint16_t)(s1->high >> 15 | s2->low << 1);
}

/* Advances by 32 bits: the new bits replace `s0`, the first of the state's four words, to which s47
 * has been added; the next s47 is added to `s1`. The complement of the key's bytes for these steps
 * is at `*k`, which then points after them. */
ALWAYS_INLINE void steps_32(word *s0, word *s1, const word *s2, const word *s3, const uint8_t **k)
{
#if defined(__AVR_HAVE_MUL__)
    uint16_t x8, x10, x12, x14; /* each the bytes of that number and the next */

    __asm__(/* the key */
            "ld r0, %a[k]+\n\t"
            "eor %A[s0l], r0\n\t"
            "ld r0, %a[k]+\n\t"
            "eor %B[s0l], r0\n\t"
            "ld r0, %a[k]+\n\t"
            "eor %A[s0h], r0\n\t"
            "ld r0, %a[k]+\n\t"
            "eor %B[s0h], r0\n\t"
            /* s91, 3 bits to the right from byte 11: 32 times a byte is the shifted byte, and below
             * it the bits shifted out */
            "mul %B[s2h], %[by32]\n\t"
            "eor %A[s0l], r1\n\t"
            "mul %A[s3l], %[by32]\n\t"
            "eor %A[s0l], r0\n\t"
            "eor %B[s0l], r1\n\t"
            "mul %B[s3l], %[by32]\n\t"
            "eor %B[s0l], r0\n\t"
            "eor %A[s0h], r1\n\t"
            "mul %A[s3h], %[by32]\n\t"
            "eor %A[s0h], r0\n\t"
            "eor %B[s0h], r1\n\t"
            "mul %B[s3h], %[by32]\n\t"
            "eor %B[s0h], r0\n\t"
            "clr r1\n\t"
            /* bytes 8 to 14, a bit to the left */
            "movw %A[x8], %A[s2l]\n\t"
            "movw %A[x10], %A[s2h]\n\t"
            "movw %A[x12], %A[s3l]\n\t"
            "movw %A[x14], %A[s3h]\n\t"
            "lsl %A[x8]\n\t"
            "rol %B[x8]\n\t"
            "rol %A[x10]\n\t"
            "rol %B[x10]\n\t"
            "rol %A[x12]\n\t"
            "rol %B[x12]\n\t"
            "rol %A[x14]\n\t"
            /* the next s47, from byte 6 of the next state */
            "eor %A[s1l], %A[x10]\n\t"
            "eor %B[s1l], %B[x10]\n\t"
            "eor %A[s1h], %A[x12]\n\t"
            "eor %B[s1h], %B[x12]\n\t"
            /* another bit to the left; s70 from byte 9 */
            "lsl %A[x8]\n\t"
            "rol %B[x8]\n\t"
            "rol %A[x10]\n\t"
            "rol %B[x10]\n\t"
            "rol %A[x12]\n\t"
            "rol %B[x12]\n\t"
            "rol %A[x14]\n\t"
            /* and another; s85 from byte 11, s70 & s85 */
            "mov r0, %A[x10]\n\t"
            "lsl r0\n\t"
            "mov r0, %B[x10]\n\t"
            "rol r0\n\t"
            "and r0, %B[x8]\n\t"
            "eor %A[s0l], r0\n\t"
            "mov r0, %A[x12]\n\t"
            "rol r0\n\t"
            "and r0, %A[x10]\n\t"
            "eor %B[s0l], r0\n\t"
            "rol %B[x12]\n\t"
            "and %B[x12], %B[x10]\n\t"
            "eor %A[s0h], %B[x12]\n\t"
            "rol %A[x14]\n\t"
            "and %A[x14], %A[x12]\n\t"
            "eor %B[s0h], %A[x14]"
            : [s0l] "+&r"(s0->low), [s0h] "+&r"(s0->high), [s1l] "+&r"(s1->low),
              [s1h] "+&r"(s1->high), [x8] "=&r"(x8), [x10] "=&r"(x10), [x12] "=&r"(x12),
              [x14] "=&r"(x14), [k] "+z"(*k)
            : [s2l] "r"(s2->low), [s2h] "r"(s2->high), [s3l] "r"(s3->low), [s3h] "r"(s3->high),
              [by32] "r"((uint8_t)32)
            : "r0", "memory");
#else
    const uint8_t *bytes = *k;

    s0->low ^= (uint16_t)(bytes[0] | (unsigned)bytes[1] << 8);
    s0->high ^= (uint16_t)(bytes[2] | (unsigned)bytes[3] << 8);
    s0->low ^= (uint16_t)(s2->high >> 11 | s3->low << 5);  /* s91 */
    s0->high ^= (uint16_t)(s3->low >> 11 | s3->high << 5); /* s91 */
    s0->low ^= (uint16_t)((s2->low >> 6 | s2->high << 10) & (s2->high >> 5 | s3->low << 11));
    s0->high ^= (uint16_t)((s2->high >> 6 | s3->low << 10) & (s3->low >> 5 | s3->high << 11));
    add_s47(s1, s2, s3);
    *k = bytes + 4;
#endif
}

#endif
