/*
 * The six functions of SHA-256 on 32-bit words.
 *
 * References: FIPS 180-4 (2015), section 4.1.2; same names. AVR Instruction Set Manual
 * (DS40002198): EOR, ROL, ROR.
 */
#ifndef PENNYWEIGHT_SHA256_FUNCTIONS_H
#define PENNYWEIGHT_SHA256_FUNCTIONS_H

#include <stdint.h>

#include "inline.h"
#include "rotate.h"

/* On AVR these functions are long, and a call costs little in comparison. */
#if defined(__AVR__)
#define FUNCTION static inline
#else
#define FUNCTION ALWAYS_INLINE
#endif

/* Ch(x, y, z) = (x and y) xor (not x and z): the bits of y where x is 1, else those of z. */
FUNCTION uint32_t ch(uint32_t x, uint32_t y, uint32_t z)
{
    return z ^ (x & (y ^ z));
}

/* Maj(x, y, z) = (x and y) xor (x and z) xor (y and z): the majority. */
FUNCTION uint32_t maj(uint32_t x, uint32_t y, uint32_t z)
{
    return (x & y) | (z & (x | y));
}

#if defined(__AVR__) && !defined(__clang__)

/*
 * A sum of rotations adds words that are rotated by at most three bits to either side, with a
 * further rotation by whole bytes, which is free.
 */

/* *y ^= x >>> 8 n for a constant `n`. */
ALWAYS_INLINE void add_rotated(uint32_t *y, uint32_t x, uint8_t n)
{
#if defined(__clang__) /* which accepts no operands of four bytes */
    *y ^= rotr32(x, 8u * n);
#else
    switch (n) {
    case 1:
        __asm__("eor %A0, %B1\n\teor %B0, %C1\n\teor %C0, %D1\n\teor %D0, %A1"
                : "+&r"(*y)
                : "r"(x));
        break;
    case 2:
        __asm__("eor %A0, %C1\n\teor %B0, %D1\n\teor %C0, %A1\n\teor %D0, %B1"
                : "+&r"(*y)
                : "r"(x));
        break;
    case 3:
        __asm__("eor %A0, %D1\n\teor %B0, %A1\n\teor %C0, %B1\n\teor %D0, %C1"
                : "+&r"(*y)
                : "r"(x));
        break;
    default:
        *y ^= x;
        break;
    }
#endif
}

/* Sigma_0^{256}(x) = ROTR^2(x) xor ROTR^{16 - 3}(x) xor ROTR^{24 - 2}(x). */
FUNCTION uint32_t big_sigma0(uint32_t x)
{
    uint32_t sum = rotr32_by_1(rotr32_by_1(x));

    x = rotl32_by_1(rotl32_by_1(x));
    add_rotated(&sum, x, 3);
    x = rotl32_by_1(x);
    add_rotated(&sum, x, 2);
    return sum;
}

/* Sigma_1^{256}(x) = ROTR^{8 - 2}(x) xor ROTR^{8 + 3}(x) xor ROTR^{24 + 1}(x). */
FUNCTION uint32_t big_sigma1(uint32_t x)
{
    uint32_t sum = rotr32(x, 6);

    x = rotr32_by_1(x);
    add_rotated(&sum, x, 3);
    x = rotr32_by_1(rotr32_by_1(x));
    add_rotated(&sum, x, 1);
    return sum;
}

/* sigma_0^{256}(x) = ROTR^{8 - 1}(x) xor ROTR^{16 + 2}(x) xor SHR^3(x). */
FUNCTION uint32_t small_sigma0(uint32_t x)
{
    uint32_t sum = rotr32(x, 7);

    x = rotr32_by_1(rotr32_by_1(x));
    add_rotated(&sum, x, 2);
    return sum ^ (rotr32_by_1(x) & UINT32_C(0x1fffffff));
}

/* sigma_1^{256}(x) = ROTR^{16 + 1}(x) xor ROTR^{16 + 3}(x) xor SHR^{8 + 2}(x). */
FUNCTION uint32_t small_sigma1(uint32_t x)
{
    uint32_t sum;

    x = rotr32_by_1(x);
    sum = rotr32(x, 16);
    x = rotr32_by_1(x);
    sum ^= x >> 8 & UINT32_C(0x003fffff);
    x = rotr32_by_1(x);
    add_rotated(&sum, x, 2);
    return sum;
}

#else

/*
 * A sum of rotations is evaluated from the inside out, so that terms share their common
 * rotations.
 */

/* Sigma_0^{256}(x) = ROTR^2(x) xor ROTR^13(x) xor ROTR^22(x). */
FUNCTION uint32_t big_sigma0(uint32_t x)
{
    return rotr32(rotr32(rotr32(x, 9) ^ x, 11) ^ x, 2);
}

/* Sigma_1^{256}(x) = ROTR^6(x) xor ROTR^11(x) xor ROTR^25(x). */
FUNCTION uint32_t big_sigma1(uint32_t x)
{
    return rotr32(rotr32(rotr32(x, 14) ^ x, 5) ^ x, 6);
}

/* sigma_0^{256}(x) = ROTR^7(x) xor ROTR^18(x) xor SHR^3(x). */
FUNCTION uint32_t small_sigma0(uint32_t x)
{
    return rotr32(rotr32(x, 11) ^ x, 7) ^ shr32(x, 3);
}

/* sigma_1^{256}(x) = ROTR^17(x) xor ROTR^19(x) xor SHR^10(x). */
FUNCTION uint32_t small_sigma1(uint32_t x)
{
    return rotr32(rotr32(x, 2) ^ x, 17) ^ shr32(x, 10);
}

#endif

#endif
