/*
 * GIFT-128 encryption, optimised for code size.
 *
 * References: S. Banik et al., "GIFT-COFB v1.1" (2021), chapter 2; same names.
 *
 * PermBits gathers bits 0 of all groups of four, then bits 1, 2 and 3, each in its own byte, in the
 * same way for all rows except for a rotation by bytes: none for S_3, one byte for S_0, two for S_1
 * and three for S_2.
 *
 * In the key state, 32-bit words do not move. Each round uses another one as W_6 || W_7: the last,
 * the one before it and so on. W_2 || W_3 is two words further.
 */
#include "gift128.h"

#include <limits.h>

#include "bytes.h"

/* The next round constant, from a six-bit shift register. */
static uint8_t next_constant(uint8_t constant)
{
    return (uint8_t)((constant << 1 & 0x3f) | (~(constant >> 5 ^ constant >> 4) & 1));
}

#if UINT_MAX > 0xffff

/* Exchanges the bits of x in `mask` with those `n` positions higher. */
static inline uint32_t swap_bits(uint32_t x, uint32_t mask, unsigned n)
{
    const uint32_t difference = (x ^ x >> n) & mask;

    return x ^ difference ^ difference << n;
}

#if defined(GIFT128_TWEAKED)
void twegift128_encrypt(gift128_state *state, const gift128_key *key, uint8_t tweak)
#else
void gift128_encrypt(gift128_state *state, const gift128_key *key)
#endif
{
    uint32_t s[4], k[4];
    uint8_t constant = 0;

    for (unsigned i = 0; i < 4; i++) {
        s[i] = load32_be(state->bytes + 4 * i);
        k[i] = load32_be(key->bytes + 4 * i);
    }
    for (unsigned round = 40; round-- != 0;) {
        /* SubCells */
        uint32_t s0 = s[0], s1 = s[1], s2 = s[2], s3 = s[3];
        s1 ^= s0 & s2;
        s0 ^= s1 & s3;
        s2 ^= s0 | s1;
        s3 ^= s2;
        s1 ^= s3;
        s2 ^= s0 & s1;
        s[0] = ~s3;
        s[1] = s1;
        s[2] = s2;
        s[3] = s0;
        /* PermBits */
        for (unsigned i = 0; i < 4; i++) {
            uint32_t x = s[i];
            const unsigned n = 8 * (3 - i);
            x = swap_bits(x, UINT32_C(0x000000ff), 24);
            x = swap_bits(x, UINT32_C(0x000f000f), 12);
            x = swap_bits(x, UINT32_C(0x00003333), 18);
            x = swap_bits(x, UINT32_C(0x00550055), 9);
            s[i] = x >> n | x << (-n & 31);
        }
        /* AddRoundKey */
        uint32_t *const w6 = &k[round % 4];
        const uint32_t v = *w6;
        constant = next_constant(constant);
        s[1] ^= v;
        s[2] ^= k[round % 4 ^ 2];
        s[3] ^= UINT32_C(0x80000000) ^ constant;
        *w6 = (v >> 2 & UINT32_C(0x3fff0000)) | (v & UINT32_C(0x00030000)) << 14 |
              (v & UINT32_C(0x00000fff)) << 4 | (v >> 12 & UINT32_C(0x0000000f));
#if defined(GIFT128_TWEAKED)
        if (round % 5 == 0 && round != 0) {
            s[0] ^= tweak * UINT32_C(0x01010101);
        }
#endif
    }
    for (unsigned i = 0; i < 4; i++) {
        store32_be(state->bytes + 4 * i, s[i]);
    }
}

#else

/* Moves the lowest bit of *from to the top of *to. */
static inline __attribute__((always_inline)) void move_bit(uint8_t *to, uint8_t *from)
{
#if defined(__AVR__) && !defined(__clang__)
    __asm__("lsr %0\n\tror %1" : "+r"(*from), "+r"(*to));
#else
    *to = (uint8_t)(*to >> 1 | *from << 7);
    *from = (uint8_t)(*from >> 1);
#endif
}

#if defined(GIFT128_TWEAKED)
void twegift128_encrypt(gift128_state *state, const gift128_key *key, uint8_t tweak)
#else
void gift128_encrypt(gift128_state *state, const gift128_key *key)
#endif
{
    uint8_t constant = 0;
    uint8_t k[16];
#if defined(GIFT128_TWEAKED)
    uint8_t until_tweak = 5;
#endif

    for (uint8_t i = 0; i < 16; i++) {
        k[i] = key->bytes[i];
    }
    for (uint8_t round = 40; round-- != 0;) {
        uint8_t *s = state->bytes;

        /* SubCells */
        for (uint8_t i = 0; i < 4; i++, s++) {
            uint8_t s0 = s[0], s1 = s[4], s2 = s[8], s3 = s[12];
            s1 ^= s0 & s2;
            s0 ^= s1 & s3;
            s2 ^= s0 | s1;
            s3 ^= s2;
            s1 ^= s3;
            s2 ^= s0 & s1;
            s[0] = (uint8_t)~s3;
            s[4] = s1;
            s[8] = s2;
            s[12] = s0;
        }
        /* PermBits, for S_3 first. Bits 0 of all groups of four come to t0, and so on. */
        s = state->bytes + 16;
        for (uint8_t first = 0; first < 4; first++) {
            uint8_t t0 = 0, t1 = 0, t2 = 0, t3 = 0;
            uint8_t i = first;

            for (uint8_t j = 0; j < 4; j++) {
                uint8_t x = *--s;
                move_bit(&t0, &x);
                move_bit(&t1, &x);
                move_bit(&t2, &x);
                move_bit(&t3, &x);
                move_bit(&t0, &x);
                move_bit(&t1, &x);
                move_bit(&t2, &x);
                move_bit(&t3, &x);
            }
            s[i] = t0;
            i = (i + 1) & 3;
            s[i] = t1;
            i = (i + 1) & 3;
            s[i] = t2;
            i = (i + 1) & 3;
            s[i] = t3;
        }
        /* AddRoundKey */
        uint8_t *const w6 = k + 4 * (round % 4);
        const uint8_t *const w2 = k + (4 * (round % 4) ^ 8);
        for (uint8_t i = 0; i < 4; i++) {
            s[4 + i] ^= w6[i];
            s[8 + i] ^= w2[i];
        }
        constant = next_constant(constant);
        s[12] ^= 0x80;
        s[15] ^= constant;
        const uint8_t x0 = w6[0], x1 = w6[1], x2 = w6[2], x3 = w6[3];
        w6[0] = (uint8_t)(x0 >> 2 | x1 << 6);
        w6[1] = (uint8_t)(x1 >> 2 | x0 << 6);
        w6[2] = (uint8_t)(x2 << 4 | x3 >> 4);
        w6[3] = (uint8_t)(x3 << 4 | x2 >> 4);
#if defined(GIFT128_TWEAKED)
        if (--until_tweak == 0 && round != 0) {
            until_tweak = 5;
            for (uint8_t i = 0; i < 4; i++) {
                s[i] ^= tweak;
            }
        }
#endif
    }
}

#endif
