/*
 * Poly1305 with numbers as ten limbs of 13 bits, for cores whose products have 32 bits: a column of
 * the product of two numbers is a sum of ten products that fits one word.
 *
 * References: RFC 8439 (2018), section 2.5; same names.
 *
 * Modulo p = 2^130 - 5, a limb of weight 2^130 2^(13 i) counts five times at weight 2^(13 i).
 * Column k of the product is the sum over i of x[i] multiples[10 + k - i]. Limbs of x have 13 bits
 * (the last may be slightly longer), limbs of r too, and two of r at most 8, due to clamping: no
 * column exceeds 2^13 2^13 (1 + 5 * 7) + 2^13 5 (2^8 + 2^7) + 2^32 / 16 < 2^32.
 */
#include "poly1305.h"

#include "add64.h"
#include "bytes.h"

#if POLY1305_LIMBS

#define LIMB 13
#define MASK 0x1fffu

/* x = a + the number of the 16 bytes at `p` + top 2^128. Limbs have 13 bits afterwards, except the
 * last, which includes the carry. */
static void add(uint16_t x[10], const uint16_t a[10], const uint8_t *p, uint8_t top)
{
    const uint32_t w0 = load32_le(p), w1 = load32_le(p + 4);
    const uint32_t w2 = load32_le(p + 8), w3 = load32_le(p + 12);
    uint32_t t = 0;

#define ADD(i, limb)                                                                               \
    do {                                                                                           \
        t = (t >> LIMB) + a[i] + ((limb) & MASK);                                                  \
        x[i] = (uint16_t)(t & MASK);                                                               \
    } while (0)

    ADD(0, w0);
    ADD(1, w0 >> 13);
    ADD(2, w0 >> 26 | w1 << 6);
    ADD(3, w1 >> 7);
    ADD(4, w1 >> 20 | w2 << 12);
    ADD(5, w2 >> 1);
    ADD(6, w2 >> 14);
    ADD(7, w2 >> 27 | w3 << 5);
    ADD(8, w3 >> 8);
    x[9] = (uint16_t)((t >> LIMB) + a[9] + (w3 >> 21) + ((uint32_t)top << 11));
}

/* Prevents compilers from interleaving the products of several steps, for which the eight low
 * registers of ARMv6-M do not suffice. */
#if defined(__ARM_ARCH_ISA_THUMB) && __ARM_ARCH_ISA_THUMB == 1
#define IN_ORDER(x, y) __asm__ volatile("" : "+l"(x), "+l"(y) : : "memory")
#else
#define IN_ORDER(x, y) (void)0
#endif

/* `multiple` is the one that column k + 1 needs for this limb and column k for the last one. */
#define STEP(i)                                                                                    \
    do {                                                                                           \
        uint32_t limb = x[i];                                                                      \
        odd += limb * multiple;                                                                    \
        IN_ORDER(odd, limb);                                                                       \
        multiple = m[10 - (i)];                                                                    \
        IN_ORDER(odd, even);                                                                       \
        even += limb * multiple;                                                                   \
        IN_ORDER(odd, even);                                                                       \
    } while (0)

/* a = x r, modulo 2^130 - 5 but not fully: limbs have 13 bits, but the second may have one more. */
static void multiply(uint16_t a[10], const uint16_t x[10], const uint16_t multiples[20])
{
    uint32_t carry = 0;

    for (unsigned k = 0; k < 10; k += 2) {
        const uint16_t *m = multiples + k;
        uint32_t even = carry, odd = 0; /* columns k and k + 1 */
        uint32_t multiple = m[11];

        STEP(0);
        STEP(1);
        STEP(2);
        STEP(3);
        STEP(4);
        STEP(5);
        STEP(6);
        STEP(7);
        STEP(8);
        STEP(9);
        a[k] = (uint16_t)(even & MASK);
        odd += even >> LIMB;
        a[k + 1] = (uint16_t)(odd & MASK);
        carry = odd >> LIMB;
    }
    carry = a[0] + 5 * carry;
    a[0] = (uint16_t)(carry & MASK);
    a[1] = (uint16_t)(a[1] + (carry >> LIMB));
}

void poly1305_init(poly1305 *state, const uint8_t *r)
{
    uint8_t clamped[16];

    for (unsigned i = 0; i < 16; i++) {
        clamped[i] = (uint8_t)(r[i] & (i % 4 == 3 ? 15 : i % 4 == 0 && i != 0 ? 252 : 255));
    }
    for (unsigned i = 0; i < 10; i++) {
        state->a[i] = 0;
    }
    add(state->multiples + 10, state->a, clamped, 0);
    for (unsigned i = 0; i < 10; i++) {
        state->multiples[i] = (uint16_t)(5u * state->multiples[10 + i]);
    }
}

void poly1305_blocks(poly1305 *state, const uint8_t *blocks, size_t count, uint8_t top)
{
    for (; count != 0; count--, blocks += 16) {
        uint16_t x[10];

        add(x, state->a, blocks, top);
        multiply(state->a, x, state->multiples);
    }
}

void poly1305_finish(const poly1305 *state, uint8_t *s)
{
    uint32_t a[10], w[4], t = 5;

    /* a < 2p, so that a mod p is a + 5 - 2^130 if that is not negative, else a. */
    for (unsigned i = 0; i < 10; i++) {
        t = (t + state->a[i]) >> LIMB;
    }
    t *= 5;
    for (unsigned i = 0; i < 10; i++) {
        t += state->a[i];
        a[i] = t & MASK;
        t >>= LIMB;
    }

    w[0] = a[0] | a[1] << 13 | a[2] << 26;
    w[1] = a[2] >> 6 | a[3] << 7 | a[4] << 20;
    w[2] = a[4] >> 12 | a[5] << 1 | a[6] << 14 | a[7] << 27;
    w[3] = a[7] >> 5 | a[8] << 8 | a[9] << 21;
    uint64_t sum = 0;
    for (unsigned i = 0; i < 4; i++) {
        sum = add64(sum, add64(w[i], load32_le(s + 4 * i)));
        store32_le(s + 4 * i, (uint32_t)sum);
        sum >>= 32;
    }
}

#endif
