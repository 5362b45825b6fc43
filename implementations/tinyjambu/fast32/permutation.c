/*
 * TinyJAMBU's keyed permutation, 32 steps at a time, four times in a row so that no word moves.
 *
 * References: H. Wu, T. Huang, "TinyJAMBU" (Version 2, 2021), section 3.2.3.
 *
 * The 32 bits of a tap come from two words of the state. Two taps need no assembly from words: s70
 * & s85 are bits 6 and up of w & w >> 15, where w begins with bit 64; and the bits of w >> 15 in it
 * are s47 of the next 32 steps, which is therefore added early.
 */
#include "permutation.h"

#include "keep.h"
#include "low.h"
#include "native/native.h"

#if !TINYJAMBU_NATIVE_PERMUTE

/* PART(x): x is an incomplete sum. DONE(x): it is complete. On ARMv7-M, instructions on low
 * registers are short, so the key is in high ones, as far as possible. Most ARMv6-M instructions
 * use low registers only, so the key stays in memory there. */
#if defined(__ARM_ARCH_ISA_THUMB) && __ARM_ARCH_ISA_THUMB == 1
#define KEY_IN_MEMORY
#define PART(x) KEEP_LOW(x)
#define DONE(x) KEEP_LOW(x)
#elif defined(__GNUC__) && defined(__thumb__)
#define PART(x) KEEP(x)
#define DONE(x) __asm__("" : "+l"(x))
#define KEEP_HIGH(x) __asm__("" : "+h"(x))
#else
#define PART(x) KEEP(x)
#define DONE(x) KEEP(x)
#define KEEP_HIGH(x) KEEP(x)
#endif

/* Adds s47 of 32 steps to `s0`, the first of three successive words of the state. */
#define ADD_S47(s0, s1, s2) (s0 ^= s1 >> 15 ^ s2 << 17)

/* 32 steps: bits i, ..., i + 31 of the state's sequence, of which s0 to s3 are the next four words.
 * The new word replaces s0, to which s47 has been added; the next s47 is added to s1. The
 * complement of s70 & s85 is in `k`. */
#define STEPS(s0, s1, s2, s3, k)                                                                   \
    do {                                                                                           \
        uint32_t x = s2 >> 15 | s3 << 17;                                                          \
        PART(x);                                                                                   \
        s1 ^= x; /* s47 */                                                                         \
        DONE(s1);                                                                                  \
        KEEP_AFTER(x, s1);                                                                         \
        x &= s2;                                                                                   \
        DONE(x);                                                                                   \
        s0 ^= x >> 6; /* s70 & s85 */                                                              \
        PART(s0);                                                                                  \
        x = s3 & s3 >> 15;                                                                         \
        PART(x);                                                                                   \
        s0 ^= x << 26;                                                                             \
        PART(s0);                                                                                  \
        s0 ^= s2 >> 27; /* s91 */                                                                  \
        PART(s0);                                                                                  \
        s0 ^= s3 << 5;                                                                             \
        PART(s0);                                                                                  \
        s0 ^= k;                                                                                   \
        DONE(s0);                                                                                  \
    } while (0)

/* 128 steps with four words of the key. */
#define STEPS_128(k0, k1, k2, k3)                                                                  \
    do {                                                                                           \
        KEEP_KEY();                                                                                \
        STEPS(s0, s1, s2, s3, k0);                                                                 \
        STEPS(s1, s2, s3, s0, k1);                                                                 \
        STEPS(s2, s3, s0, s1, k2);                                                                 \
        STEPS(s3, s0, s1, s2, k3);                                                                 \
    } while (0)

void tinyjambu_permute(tinyjambu_state *s, const tinyjambu_key *key, unsigned steps)
{
    const uint32_t *k = key->complement;
    uint32_t s0 = little_endian32(s->words[0]);
    uint32_t s1 = little_endian32(s->words[1]);
    uint32_t s2 = little_endian32(s->words[2]);
    uint32_t s3 = little_endian32(s->words[3]);

#if defined(KEY_IN_MEMORY)
#define WORD(i) k[i]
#define KEEP_KEY() KEEP(k) /* Values loaded before the loop would be spilled. */
#else
    uint32_t k0 = k[0], k1 = k[1], k2 = k[2], k3 = k[3];
#define WORD(i) k##i
#if TINYJAMBU_KEY_BYTES == 16
#define KEEP_KEY()                                                                                 \
    do {                                                                                           \
        KEEP_HIGH(k0);                                                                             \
        KEEP_HIGH(k1);                                                                             \
        KEEP_HIGH(k2);                                                                             \
        KEEP_HIGH(k3);                                                                             \
    } while (0)
#else
    uint32_t k4 = k[4], k5 = k[5];
#define KEEP_KEY()                                                                                 \
    do {                                                                                           \
        KEEP_HIGH(k0);                                                                             \
        KEEP_HIGH(k1);                                                                             \
        KEEP_HIGH(k2);                                                                             \
        KEEP_HIGH(k3);                                                                             \
        KEEP_HIGH(k4);                                                                             \
        KEEP_HIGH(k5);                                                                             \
        KEEP(k);                                                                                   \
    } while (0)
#endif
#endif

    ADD_S47(s0, s1, s2);
#if TINYJAMBU_KEY_BYTES == 16
    do {
        STEPS_128(WORD(0), WORD(1), WORD(2), WORD(3));
    } while (--steps != 0);
#elif TINYJAMBU_KEY_BYTES == 24
    for (; steps != 0; steps -= 3) {
        STEPS_128(WORD(0), WORD(1), WORD(2), WORD(3));
        STEPS_128(WORD(4), WORD(5), WORD(0), WORD(1));
        if (steps == 2) {
            break;
        }
        STEPS_128(WORD(2), WORD(3), WORD(4), WORD(5));
    }
#else
    for (; steps != 0; steps -= 2) {
        STEPS_128(WORD(0), WORD(1), WORD(2), WORD(3));
        if (steps == 1) {
            break;
        }
        STEPS_128(WORD(4), WORD(5), k[6], k[7]);
    }
#endif
    KEEP(s1); /* This discards the loop's results for it and for s2. */
    KEEP(s2);
    ADD_S47(s0, s1, s2); /* undoes it */
    s->words[0] = little_endian32(s0);
    s->words[1] = little_endian32(s1);
    s->words[2] = little_endian32(s2);
    s->words[3] = little_endian32(s3);
}

#endif
