/*
 * Rotations of bytes and of 16-bit words by constants.
 *
 * AVR rotates by one bit, by SWAP, and by whole bytes: there, a rotation uses the fewest of
 * those.
 *
 * References: AVR Instruction Set Manual (DS40002198): ADC, BLD, BST, LSL, ROL, ROR, SWAP.
 */
#ifndef PENNYWEIGHT_UTIL_ROTATE_SHORT_H
#define PENNYWEIGHT_UTIL_ROTATE_SHORT_H

#include <stdint.h>

#include "inline.h"

#if defined(__AVR__) && !defined(__clang__)

/* `x` rotated left by one bit. */
ALWAYS_INLINE uint8_t rotl8_by_1(uint8_t x)
{
    __asm__("lsl %0\n\tadc %0, __zero_reg__" : "+r"(x));
    return x;
}

/* The same to the right. */
ALWAYS_INLINE uint8_t rotr8_by_1(uint8_t x)
{
    __asm__("bst %0, 0\n\tlsr %0\n\tbld %0, 7" : "+r"(x));
    return x;
}

/* The same of 16 bits, to the left. */
ALWAYS_INLINE uint16_t rotl16_by_1(uint16_t x)
{
    __asm__("lsl %A0\n\trol %B0\n\tadc %A0, __zero_reg__" : "+r"(x));
    return x;
}

/* And to the right. */
ALWAYS_INLINE uint16_t rotr16_by_1(uint16_t x)
{
    __asm__("bst %A0, 0\n\tror %B0\n\tror %A0\n\tbld %B0, 7" : "+r"(x));
    return x;
}

/* `x` rotated left by `n` bits, a constant, modulo 8. */
ALWAYS_INLINE uint8_t rotl8(uint8_t x, unsigned n)
{
    n %= 8;
    if (n >= 3 && n <= 6) {
        x = (uint8_t)(x << 4 | x >> 4);
    }
    switch (n) {
    case 2:
    case 6:
        x = rotl8_by_1(x); /* fall through */
    case 1:
    case 5:
        x = rotl8_by_1(x);
        break;
    case 3:
    case 7:
        x = rotr8_by_1(x);
        break;
    default:
        break;
    }
    return x;
}

/* `x` rotated left by `n` bits, a constant, modulo 16. */
ALWAYS_INLINE uint16_t rotl16(uint16_t x, unsigned n)
{
    n %= 16;
    if (n >= 5 && n <= 12) {
        x = (uint16_t)(x << 8 | x >> 8);
    }
    switch (n % 8) {
    case 4:
        x = rotl16_by_1(x); /* fall through */
    case 3:
        x = rotl16_by_1(x); /* fall through */
    case 2:
        x = rotl16_by_1(x); /* fall through */
    case 1:
        x = rotl16_by_1(x);
        break;
    case 5:
        x = rotr16_by_1(x); /* fall through */
    case 6:
        x = rotr16_by_1(x); /* fall through */
    case 7:
        x = rotr16_by_1(x);
        break;
    default:
        break;
    }
    return x;
}

#else

/* `x` rotated left by `n` bits, modulo 8. */
ALWAYS_INLINE uint8_t rotl8(uint8_t x, unsigned n)
{
    return (uint8_t)(x << n % 8 | x >> (8 - n % 8));
}

/* `x` rotated left by `n` bits, modulo 16. */
ALWAYS_INLINE uint16_t rotl16(uint16_t x, unsigned n)
{
    return (uint16_t)((unsigned)x << n % 16 | (unsigned)x >> (16 - n % 16));
}

#endif
#endif
