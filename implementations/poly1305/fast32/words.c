/*
 * Poly1305 with numbers as 32-bit words, for cores that multiply 32 by 32 to 64 bits.
 *
 * References: RFC 8439 (2018), section 2.5; same names.
 *
 * Clamping leaves r < 2^124 in words r_i < 2^28, and all but r_0 are multiples of 4. So modulo p =
 * 2^130 - 5, 2^128 r_i = 5 (r_i / 4) = s_i, and the product of two numbers of four words has four
 * words again, each a sum of four products and one that fits 64 bits.
 */
#include "poly1305.h"

#include "bytes.h"

#if !POLY1305_LIMBS

void poly1305_init(poly1305 *state, const uint8_t *r)
{
    for (unsigned i = 0; i < 4; i++) {
        state->r[i] = load32_le(r + 4 * i) & (i == 0 ? UINT32_C(0x0fffffff) : UINT32_C(0x0ffffffc));
        state->a[i] = 0;
    }
    state->a[4] = 0;
}

#if !POLY1305_NATIVE_BLOCKS

#if defined(__mips__) && defined(__GNUC__) && !defined(__mips16)

/*
 * Cores with the fast multiplier (M4K) take a cycle less for a second factor that fits 16 bits.
 * Here that factor is always a word of r plus 2^31, so none fits.
 */
#define LONG_FACTORS 1
#define LONG UINT32_C(0x80000000)

/* x (y + 2^31) for y < 2^31. */
static inline uint64_t mul(uint32_t x, uint32_t y)
{
    uint64_t product;

    __asm__("multu %1, %2" : "=x"(product) : "r"(x), "r"(y | LONG));
    return product;
}

/* sum + x (y + 2^31) for y < 2^31. */
static inline uint64_t mul_add(uint64_t sum, uint32_t x, uint32_t y)
{
    __asm__("maddu %1, %2" : "+x"(sum) : "r"(x), "r"(y | LONG));
    return sum;
}

#else

#define LONG_FACTORS 0

/* The product of two words, whole. */
static inline uint64_t mul(uint32_t x, uint32_t y)
{
    return (uint64_t)x * y;
}

#endif

void poly1305_blocks(poly1305 *state, const uint8_t *blocks, size_t count, uint8_t top)
{
    const uint32_t r0 = state->r[0], r1 = state->r[1], r2 = state->r[2], r3 = state->r[3];
    const uint32_t s1 = r1 + (r1 >> 2), s2 = r2 + (r2 >> 2), s3 = r3 + (r3 >> 2);
    uint32_t a0 = state->a[0], a1 = state->a[1], a2 = state->a[2], a3 = state->a[3];
    uint32_t a4 = state->a[4];

    for (; count != 0; count--, blocks += 16) {
        uint64_t t;

        /* a += block + top 2^128; a4 <= 7 afterwards. */
        t = (uint64_t)a0 + load32_le(blocks);
        a0 = (uint32_t)t;
        t = (t >> 32) + a1 + load32_le(blocks + 4);
        a1 = (uint32_t)t;
        t = (t >> 32) + a2 + load32_le(blocks + 8);
        a2 = (uint32_t)t;
        t = (t >> 32) + a3 + load32_le(blocks + 12);
        a3 = (uint32_t)t;
        a4 += (uint32_t)(t >> 32) + top;

        /* a = a r: the four words, and a4 r0 2^128. */
#if LONG_FACTORS
        /* The excess of each sum from the 2^31 in its factors. */
        const uint64_t more = ((uint64_t)a0 + a1 + a2 + a3) << 31,
                       most = more + ((uint64_t)a4 << 31);
        uint64_t t0 = mul_add(mul_add(mul_add(mul(a0, r0), a1, s3), a2, s2), a3, s1);
        uint64_t t1 = mul_add(mul_add(mul_add(mul(a0, r1), a1, r0), a2, s3), a3, s2);
        uint64_t t2 = mul_add(mul_add(mul_add(mul(a0, r2), a1, r1), a2, r0), a3, s3);
        uint64_t t3 = mul_add(mul_add(mul_add(mul(a0, r3), a1, r2), a2, r1), a3, r0);
        uint32_t high = (a4 * (r0 | LONG)) & ~LONG;

        t0 -= more;
        t1 = mul_add(t1, a4, s1) - most;
        t2 = mul_add(t2, a4, s2) - most;
        t3 = mul_add(t3, a4, s3) - most;
#else
        const uint64_t t0 = mul(a0, r0) + mul(a1, s3) + mul(a2, s2) + mul(a3, s1);
        const uint64_t t1 = mul(a0, r1) + mul(a1, r0) + mul(a2, s3) + mul(a3, s2) + a4 * s1;
        const uint64_t t2 = mul(a0, r2) + mul(a1, r1) + mul(a2, r0) + mul(a3, s3) + a4 * s2;
        const uint64_t t3 = mul(a0, r3) + mul(a1, r2) + mul(a2, r1) + mul(a3, r0) + a4 * s3;
        uint32_t high = a4 * r0;
#endif

        /* Carries, and 2^130 = 5. */
        a0 = (uint32_t)t0;
        t = t1 + (t0 >> 32);
        a1 = (uint32_t)t;
        t = t2 + (t >> 32);
        a2 = (uint32_t)t;
        t = t3 + (t >> 32);
        a3 = (uint32_t)t;
        high += (uint32_t)(t >> 32);

        t = (uint64_t)a0 + (high >> 2) + (high & ~UINT32_C(3));
        a0 = (uint32_t)t;
        a4 = high & 3;
        t = (t >> 32) + a1;
        a1 = (uint32_t)t;
        t = (t >> 32) + a2;
        a2 = (uint32_t)t;
        t = (t >> 32) + a3;
        a3 = (uint32_t)t;
        a4 += (uint32_t)(t >> 32);
    }
    state->a[0] = a0;
    state->a[1] = a1;
    state->a[2] = a2;
    state->a[3] = a3;
    state->a[4] = a4;
}

#endif

void poly1305_finish(const poly1305 *state, uint8_t *s)
{
    uint64_t t = 5;

    /* a < 2p, so that a mod p is a + 5 - 2^130 if that is not negative, else a. */
    for (unsigned i = 0; i < 5; i++) {
        t = (t >> (i == 0 ? 0 : 32)) + state->a[i];
    }
    const uint32_t minus = (uint32_t)(t >> 2) * 5;

    t = minus;
    uint64_t u = 0;
    for (unsigned i = 0; i < 4; i++) {
        t += state->a[i];
        u += (uint64_t)(uint32_t)t + load32_le(s + 4 * i);
        store32_le(s + 4 * i, (uint32_t)u);
        t >>= 32;
        u >>= 32;
    }
}

#endif
