/*
 * TinyJAMBU's key and keyed permutation on shares, 32 steps at a time, four times in a row so that
 * no word moves.
 *
 * References: H. Wu, T. Huang, "TinyJAMBU" (Version 2, 2021), section 3.2.3; ../masked/word32.h for
 * the product.
 *
 * A step has one product, s70 & s85; all else is linear and applies to each share alone. Every new
 * bit contains fresh random bits of its product, so the shares of two bits are independent.
 */
#include "masked.h"

#include <limits.h>

#include "bytes.h"
#include "inline.h"
#include "native/native.h"
#include "unroll.h"

void masked_set_key(masked_key *key, const uint8_t *bytes)
{
    for (unsigned i = 0; i < TINYJAMBU_KEY_BYTES / 4; i++) {
        key->k[i] = masked_word_split(load32_le(bytes + 4 * i));
    }
}

#if !MASKED_NATIVE_PERMUTE

#if UINT_MAX == 0xffff

/* The 32 bits of a word of 64 from bit `n` on, which is in its lower half. Small machines move
 * whole bytes and shift by a few bits; a compiler shifts by `n` bits, one by one. */
ALWAYS_INLINE uint32_t bits_from(uint32_t low, uint32_t high, unsigned n)
{
    const unsigned right = n % 8, left = 8 - right, bytes = 8 * (n / 8);
    const uint32_t here = bytes == 0 ? low : low >> bytes | high << (32 - bytes);

    if (right < 4) {
        return here >> right | (uint32_t)(uint8_t)((uint8_t)(high >> bytes) << left) << 24;
    }
    const uint32_t next = bytes == 24 ? high : low >> (bytes + 8) | high << (24 - bytes);

    return next << left | (uint8_t)((uint8_t)here >> right);
}

#else

/* The 32 bits of a word of 64 from bit `n` on, which is in its lower half. */
ALWAYS_INLINE uint32_t bits_from(uint32_t low, uint32_t high, unsigned n)
{
    return low >> n | high << (32 - n);
}

#endif

/* The same for each share. */
ALWAYS_INLINE masked_word tap(const masked_word *low, const masked_word *high, unsigned n)
{
    masked_word bits;

    UNROLL
    for (unsigned i = 0; i < MASKED_SHARES; i++) {
        bits.share[i] = bits_from(low->share[i], high->share[i], n);
    }
    return bits;
}

/* The linear part of 32 steps, for one share: s0 + s47 + s91 + k. */
ALWAYS_INLINE void add_linear(masked_word *s0, const masked_word *s1, const masked_word *s2,
                              const masked_word *s3, const masked_word *k, unsigned i)
{
    s0->share[i] ^= bits_from(s1->share[i], s2->share[i], 15) ^
                    bits_from(s2->share[i], s3->share[i], 27) ^ k->share[i];
}

/* 32 steps: the words s0 to s3 are bits 0 to 127 of the state. The new word replaces s0. The linear
 * part of a share follows each random word, for a generator that needs time for the next one. */
ALWAYS_INLINE void steps32(masked_word *s0, const masked_word *s1, const masked_word *s2,
                           const masked_word *s3, const masked_word *k)
{
    masked_random random;
    unsigned share = 0;

    UNROLL
    for (unsigned i = 0; i < MASKED_PAIRS; i++) {
        random.word[i] = pw_random32();
        if (share < MASKED_SHARES) {
            add_linear(s0, s1, s2, s3, k, share++);
        }
    }
    UNROLL
    for (; share < MASKED_SHARES; share++) {
        add_linear(s0, s1, s2, s3, k, share);
    }
    const masked_word s70 = tap(s2, s3, 6), s85 = tap(s2, s3, 21);

    masked_word_complement(s0);
    masked_word_add_product(s0, &s70, &s85, random);
}

void masked_permute(masked_state *s, const masked_key *key, unsigned steps)
{
    masked_word *x = s->x;
    const masked_word *k = key->k;

    do {
        steps32(&x[0], &x[1], &x[2], &x[3], &k[0]);
        steps32(&x[1], &x[2], &x[3], &x[0], &k[1]);
        steps32(&x[2], &x[3], &x[0], &x[1], &k[2]);
        steps32(&x[3], &x[0], &x[1], &x[2], &k[3]);
    } while (--steps != 0);
}

#endif
