/*
 * SHA-512: shared by its parts.
 *
 * References: FIPS 180-4 (2015), sections 4.1.3, 4.2.3, 5.3.5, 6.4; same names.
 */
#ifndef PENNYWEIGHT_SHA512_H
#define PENNYWEIGHT_SHA512_H

#include <stddef.h>
#include <stdint.h>

#include "add64.h"
#include "api.h"
#include "native/native.h"
#include "rotate64.h"

/* 1: of the sources of `small`, the compression in bytes, which is the smallest on AVR. */
#ifndef SHA512_BYTES
#if defined(__AVR__) || !defined(SHA512_SMALL)
#define SHA512_BYTES 1
#else
#define SHA512_BYTES 0
#endif
#endif

/* Updates the intermediate hash value `h` with the block of 128 bytes at `block`. */
void sha512_compress(uint64_t h[8], const uint8_t *block);

/* The constants K_t. */
extern const uint64_t sha512_k[80];

/* Ch(x, y, z): the bits of y where x is 1, else those of z. */
static inline uint64_t ch(uint64_t x, uint64_t y, uint64_t z)
{
    return z ^ (x & (y ^ z));
}

/* Maj(x, y, z): the majority. */
static inline uint64_t maj(uint64_t x, uint64_t y, uint64_t z)
{
    return (x & y) | (z & (x | y));
}

/*
 * A sum of rotations is evaluated from the inside out, so that terms share their common
 * rotations.
 */

/* Sigma_0^{512}(x) = ROTR^28(x) xor ROTR^34(x) xor ROTR^39(x). */
static inline uint64_t big_sigma0(uint64_t x)
{
    return rotr64(rotr64(rotr64(x, 5) ^ x, 6) ^ x, 28);
}

/* Sigma_1^{512}(x) = ROTR^14(x) xor ROTR^18(x) xor ROTR^41(x). */
static inline uint64_t big_sigma1(uint64_t x)
{
    return rotr64(rotr64(rotr64(x, 23) ^ x, 4) ^ x, 14);
}

/* sigma_0^{512}(x) = ROTR^1(x) xor ROTR^8(x) xor SHR^7(x). */
static inline uint64_t small_sigma0(uint64_t x)
{
    return rotr64(rotr64(x, 7) ^ x, 1) ^ shr64(x, 7);
}

/* sigma_1^{512}(x) = ROTR^19(x) xor ROTR^61(x) xor SHR^6(x). */
static inline uint64_t small_sigma1(uint64_t x)
{
    return rotr64(rotr64(x, 42) ^ x, 19) ^ shr64(x, 6);
}

#endif
