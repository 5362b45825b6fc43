/*
 * GHASH in constant time for 32-bit cores, with integer multiplications.
 *
 * References: NIST SP 800-38D (2007), sections 6.3 (multiplication of blocks), 6.4 (GHASH).
 * Multiplication "with holes" and its use in GHASH: T. Pornin, "Constant-Time Toolkit" and BearSSL,
 * https://www.bearssl.org/constanttime.html#ghash-for-gcm.
 *
 * Polynomials over GF(2) are multiplied by multiplying integers with gaps between their bits that
 * absorb the carries. Products of 16 by 16 bits need only gaps of two: at most six ones meet in one
 * position, which can hold up to 2^3 - 1. Only the lower 32 bits of products are used: MULS takes
 * one cycle on Cortex-M0, M0+, M3 and M4 as built into the parts measured here, whatever the
 * operands, while the long multiplications of the M3 are not constant time.
 *
 * MIPS cores with the fast multiplier (M4K) take a cycle less for a factor that fits 16 bits.
 * There, the highest bit of all factors is set, so that none does. In a product's lower half this
 * changes only the highest bit, which a 16-by-16-bit carryless product does not use.
 *
 * A block, read as an integer with the most significant byte first, has the coefficient of x^i in
 * bit 127 - i. The product of two such integers of 128 bits, without carries, has it in bit
 * 254 - i: one too low for 256 bits. That shift is put into the key, once, as a factor x^-1.
 */
#include "ghash.h"

#include "bytes.h"

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

/* y = y H. */
static void multiply_h(ghash_state *state)
{
    uint32_t s[9], p[18], z[8];
    uint32_t *y = state->y;

    sums_of_words(s, y);
    for (unsigned i = 0; i < 9; i++) {
        multiply_32(p + 2 * i, s[i], state->h[i]);
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

void ghash_init(ghash_state *state, const uint8_t h[16])
{
    uint32_t x[4], top;

    for (unsigned i = 0; i < 4; i++) {
        x[i] = load32_be(h + 12 - 4 * i);
        state->y[i] = 0;
    }
    /* H x^-1: one place to the left. 1 becomes x^-1 = x^127 + x^6 + x + 1. */
    top = 0 - (x[3] >> 31);
    for (unsigned i = 3; i > 0; i--) {
        x[i] = x[i] << 1 | x[i - 1] >> 31;
    }
    x[0] = x[0] << 1 ^ (top & 1);
    x[3] ^= top & 0xc2000000;
    sums_of_words(state->h, x);
}

void ghash_update(ghash_state *state, const uint8_t *data, size_t length)
{
    uint8_t last[16];

    while (length != 0) {
        const uint8_t *block = data;

        if (length < 16) {
            zero_bytes(last, 16);
            copy_bytes(last, data, length);
            block = last;
            length = 16;
        }
        for (unsigned i = 0; i < 4; i++) {
            state->y[i] ^= load32_be(block + 12 - 4 * i);
        }
        multiply_h(state);
        data += 16;
        length -= 16;
    }
}

void ghash_digest(const ghash_state *state, uint8_t digest[16])
{
    for (unsigned i = 0; i < 4; i++) {
        store32_be(digest + 12 - 4 * i, state->y[i]);
    }
}
