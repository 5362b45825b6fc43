/*
 * The six functions of SHA-256 on 32-bit words.
 *
 * References: FIPS 180-4 (2015), section 4.1.2; names as there.
 */
#ifndef PENNYWEIGHT_SHA256_FUNCTIONS_H
#define PENNYWEIGHT_SHA256_FUNCTIONS_H

#include <stdint.h>

#include "inline.h"
#include "rotate.h"

/* On AVR a call is little beside what these do, and code is long. */
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

/*
 * A sum of rotations is evaluated from the inside out, each rotation taking along the terms that
 * need it as well. What follows are the same sums, with the fewest single-bit steps on AVR.
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
