/*
 * Rotations of 32-bit words by constants.
 *
 * Compilers turn the usual pair of shifts into one instruction where the core has one. AVR has
 * none that moves more than one bit, and avr-gcc then emits two loops of single-bit shifts (more
 * than 200 cycles for a rotation by 7). There, a rotation becomes a move of whole bytes and at
 * most four rotations by one bit, of 5 (left) or 6 (right) cycles each.
 *
 * References: AVR Instruction Set Manual (DS40002198): ROL, ROR, BST, BLD.
 */
#ifndef PENNYWEIGHT_UTIL_ROTATE_H
#define PENNYWEIGHT_UTIL_ROTATE_H

#include <stdint.h>

#if defined(__AVR__)

/* `x` rotated left by one bit. */
static inline __attribute__((always_inline)) uint32_t rotl32_by_1(uint32_t x)
{
    __asm__("lsl %A0\n\trol %B0\n\trol %C0\n\trol %D0\n\tadc %A0, __zero_reg__" : "+r"(x));
    return x;
}

/* `x` rotated right by one bit. */
static inline __attribute__((always_inline)) uint32_t rotr32_by_1(uint32_t x)
{
    __asm__("bst %A0, 0\n\tror %D0\n\tror %C0\n\tror %B0\n\tror %A0\n\tbld %D0, 7" : "+r"(x));
    return x;
}

/* `x` rotated left by `n` bits, a constant from 0 to 32. */
static inline __attribute__((always_inline)) uint32_t rotl32(uint32_t x, unsigned n)
{
    switch ((n + 3) / 8 % 4) {
    case 1:
        x = x << 8 | x >> 24;
        break;
    case 2:
        x = x << 16 | x >> 16;
        break;
    case 3:
        x = x << 24 | x >> 8;
        break;
    default:
        break;
    }
    switch (n % 8) {
    case 4:
        x = rotl32_by_1(x); /* fall through */
    case 3:
        x = rotl32_by_1(x); /* fall through */
    case 2:
        x = rotl32_by_1(x); /* fall through */
    case 1:
        x = rotl32_by_1(x);
        break;
    case 5:
        x = rotr32_by_1(x); /* fall through */
    case 6:
        x = rotr32_by_1(x); /* fall through */
    case 7:
        x = rotr32_by_1(x);
        break;
    default:
        break;
    }
    return x;
}

#else

/* `x` rotated left by `n` bits, 1 <= n <= 31. */
static inline uint32_t rotl32(uint32_t x, unsigned n)
{
    return x << n | x >> (32 - n);
}

#endif

/* `x` rotated right by `n` bits, 1 <= n <= 31; a constant on AVR. */
static inline
#if defined(__AVR__)
    __attribute__((always_inline))
#endif
    uint32_t rotr32(uint32_t x, unsigned n)
{
#if defined(__AVR__)
    return rotl32(x, 32 - n);
#else
    return x >> n | x << (32 - n);
#endif
}

#endif
