/*
 * The multiplication of GHASH in constant time for 32-bit cores, with integer multiplications.
 *
 * References: NIST SP 800-38D (2007), section 6.3 (multiplication of blocks). Multiplication "with
 * holes": T. Pornin, "Constant-Time Toolkit" and BearSSL,
 * https://www.bearssl.org/constanttime.html#ghash-for-gcm.
 *
 * Polynomials over GF(2) are multiplied by multiplying integers with gaps between their bits that
 * absorb the carries.
 *
 * Products of 16 by 16 bits need only gaps of two: at most six ones meet in one position, which can
 * hold up to 2^3 - 1. Only the lower 32 bits of products are used: MULS takes one cycle on
 * Cortex-M0, M0+, M3 and M4 as built into the parts measured here, whatever the operands, while the
 * long multiplications of the M3 are not constant time.
 *
 * Where long multiplications are (GHASH_LONG_PRODUCTS), products are of 32 by 32 bits, with gaps of
 * three: at most eight ones meet in one position, which can hold up to 2^4 - 1. Two products are
 * added if eight ones meet in different positions, so that the sum of both is at most 8 + 7: in a0
 * b0 in position 28, for example, and in a1 b3 in position 32. The others are combined by exclusive
 * or.
 *
 * MIPS cores with the fast multiplier (M4K) take a cycle less for a factor that fits 16 bits.
 * There, the highest bit of all factors is set, so that none does. In a product's lower half this
 * changes only the highest bit, which a 16-by-16-bit carryless product does not use.
 */
#ifndef PENNYWEIGHT_GHASH_CT32_MULTIPLY_H
#define PENNYWEIGHT_GHASH_CT32_MULTIPLY_H

#include <stdint.h>

#if GHASH_LONG_PRODUCTS

/* Every fourth bit, from bit 0, 1, 2 and 3. */
#define FOURTHS_0 0x11111111u
#define FOURTHS_1 0x22222222u
#define FOURTHS_2 0x44444444u
#define FOURTHS_3 0x88888888u

/* The low bits, at each of `fourths` in both halves of `sum`. */
static inline uint64_t keep_fourths(uint64_t sum, uint32_t fourths)
{
    return sum & ((uint64_t)fourths << 32 | fourths);
}

/* The product of two words, whole. */
static inline uint64_t long_product(uint32_t a, uint32_t b)
{
    return (uint64_t)a * b;
}

/* The carryless product of a and b, of 32 bits each. */
static inline void multiply_32(uint32_t product[2], uint32_t a, uint32_t b)
{
    const uint32_t a0 = a & FOURTHS_0, a1 = a & FOURTHS_1, a2 = a & FOURTHS_2, a3 = a & FOURTHS_3;
    const uint32_t b0 = b & FOURTHS_0, b1 = b & FOURTHS_1, b2 = b & FOURTHS_2, b3 = b & FOURTHS_3;
    uint64_t sum;

    sum = keep_fourths(long_product(a0, b3) ^ long_product(a1, b2) ^ long_product(a2, b1) ^
                           long_product(a3, b0),
                       FOURTHS_3);
    sum |= keep_fourths((long_product(a0, b1) + long_product(a2, b3)) ^
                            (long_product(a1, b0) + long_product(a3, b2)),
                        FOURTHS_1);
    sum |= keep_fourths((long_product(a0, b2) + long_product(a3, b3)) ^ long_product(a1, b1) ^
                            long_product(a2, b0),
                        FOURTHS_2);
    sum |= keep_fourths((long_product(a0, b0) + long_product(a1, b3)) ^ long_product(a2, b2) ^
                            long_product(a3, b1),
                        FOURTHS_0);
    product[0] = (uint32_t)sum;
    product[1] = (uint32_t)(sum >> 32);
}

#else

/* Every third bit, from bit 0, 1 and 2. */
#define THIRDS_0 0x49249249u
#define THIRDS_1 0x92492492u
#define THIRDS_2 0x24924924u

/* A bit that is set in every factor, so that all take the same time. */
#if defined(__mips__)
#define LONG UINT32_C(0x80000000)
#else
#define LONG UINT32_C(0)
#endif

/* The carryless product of a and b, of 16 bits each. */
static inline uint32_t multiply_16(uint32_t a, uint32_t b)
{
    a |= LONG;
    b |= LONG;

    const uint32_t a0 = a & (THIRDS_0 | LONG), a1 = a & THIRDS_1, a2 = a & (THIRDS_2 | LONG);
    const uint32_t b0 = b & (THIRDS_0 | LONG), b1 = b & THIRDS_1, b2 = b & (THIRDS_2 | LONG);

    return (((a0 * b0) ^ (a1 * b2) ^ (a2 * b1)) & THIRDS_0) |
           (((a0 * b1) ^ (a1 * b0) ^ (a2 * b2)) & (THIRDS_1 & ~LONG)) |
           (((a0 * b2) ^ (a1 * b1) ^ (a2 * b0)) & THIRDS_2);
}

/* The carryless product of a and b, of 32 bits each, by Karatsuba's rule. */
static inline void multiply_32(uint32_t product[2], uint32_t a, uint32_t b)
{
    const uint32_t low = multiply_16(a & 0xffff, b & 0xffff);
    const uint32_t high = multiply_16(a >> 16, b >> 16);
    const uint32_t middle =
        multiply_16((a ^ a >> 16) & 0xffff, (b ^ b >> 16) & 0xffff) ^ low ^ high;

    product[0] = low ^ middle << 16;
    product[1] = high ^ middle >> 16;
}

#endif

/* The factors in Karatsuba's rule, used twice: the words of a number of 4 words and their sums.
 */
static void sums_of_words(uint32_t s[9], const uint32_t a[4])
{
    s[0] = a[0];
    s[1] = a[1];
    s[2] = a[0] ^ a[1];
    s[3] = a[2];
    s[4] = a[3];
    s[5] = a[2] ^ a[3];
    s[6] = a[0] ^ a[2];
    s[7] = a[1] ^ a[3];
    s[8] = s[2] ^ s[5];
}

/* The product of two numbers of 2 words, from those of the lower words p[0], the upper words p[1]
 * and their sums p[2]; in place: 4 words at p. */
static void join(uint32_t p[6])
{
    const uint32_t low1 = p[1], high0 = p[2];

    p[1] = p[0] ^ p[1] ^ p[2] ^ p[4];
    p[2] = low1 ^ high0 ^ p[3] ^ p[5];
}

/* y = y H; `h` is that of ghash_state. */
static void multiply(uint32_t y[4], const uint32_t h[9])
{
    uint32_t s[9], p[18], z[8];

    sums_of_words(s, y);
    for (unsigned i = 0; i < 9; i++) {
        multiply_32(p + 2 * i, s[i], h[i]);
    }
    join(p);
    join(p + 6);
    join(p + 12);
    for (unsigned i = 0; i < 4; i++) {
        z[i] = p[i];
        z[i + 4] = p[i + 6];
    }
    for (unsigned i = 0; i < 4; i++) {
        z[i + 2] ^= p[i] ^ p[i + 6] ^ p[i + 12];
    }

    /* The lower half holds the coefficients of x^128 and up; x^128 = x^7 + x^2 + x + 1. */
    for (unsigned i = 0; i < 4; i++) {
        z[i + 3] ^= z[i] << 31 ^ z[i] << 30 ^ z[i] << 25;
        z[i + 4] ^= z[i] ^ z[i] >> 1 ^ z[i] >> 2 ^ z[i] >> 7;
    }
    for (unsigned i = 0; i < 4; i++) {
        y[i] = z[i + 4];
    }
}

#endif
