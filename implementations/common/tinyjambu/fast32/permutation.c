/*
 * TinyJAMBU's keyed permutation, 32 steps at a time, four times in a row so that no word moves.
 *
 * References: H. Wu, T. Huang, "TinyJAMBU" (Version 2, 2021), section 3.2.3.
 */
#include "permutation.h"

#include "keep.h"
#include "low.h"

/* 32 steps: bits i, ..., i + 31 of the state's sequence, of which s0 to s3 are the next four words.
 * The new word replaces s0. The complement of s70 & s85 is in `k`. The order of the sums is the one
 * that suits ARMv6-M best, with `k` in a register, and in memory. */
#if TINYJAMBU_KEY_BYTES == 16
#define STEPS(s0, s1, s2, s3, k)                                                                   \
    do {                                                                                           \
        uint32_t s70, s85;                                                                         \
        s0 ^= s1 >> 15; /* s47 */                                                                  \
        s0 ^= s2 << 17;                                                                            \
        KEEP(s0);                                                                                  \
        s0 ^= s2 >> 27; /* s91 */                                                                  \
        s0 ^= s3 << 5;                                                                             \
        s0 ^= k;                                                                                   \
        s70 = s2 >> 6 | s3 << 26;                                                                  \
        s85 = s2 >> 21 | s3 << 11;                                                                 \
        KEEP(s70);                                                                                 \
        KEEP(s85);                                                                                 \
        s70 &= s85;                                                                                \
        KEEP(s70);                                                                                 \
        s0 ^= s70;                                                                                 \
        KEEP(s0);                                                                                  \
    } while (0)
#else
#define STEPS(s0, s1, s2, s3, k)                                                                   \
    do {                                                                                           \
        uint32_t s70, s85;                                                                         \
        s0 ^= s1 >> 15; /* s47 */                                                                  \
        KEEP_LOW(s0);                                                                              \
        s0 ^= s2 << 17;                                                                            \
        KEEP_LOW(s0);                                                                              \
        s0 ^= s2 >> 27; /* s91 */                                                                  \
        KEEP_LOW(s0);                                                                              \
        s0 ^= s3 << 5;                                                                             \
        KEEP_LOW(s0);                                                                              \
        s0 ^= k;                                                                                   \
        KEEP_LOW(s0);                                                                              \
        s70 = s2 >> 6 | s3 << 26;                                                                  \
        KEEP_LOW(s70);                                                                             \
        s85 = s2 >> 21 | s3 << 11;                                                                 \
        KEEP_LOW(s85);                                                                             \
        s70 &= s85;                                                                                \
        s0 ^= s70;                                                                                 \
        KEEP_LOW(s0);                                                                              \
    } while (0)
#endif

/* 128 steps with four words of the key. */
#define STEPS_128(k0, k1, k2, k3)                                                                  \
    do {                                                                                           \
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

#if TINYJAMBU_KEY_BYTES == 16
    const uint32_t k0 = k[0], k1 = k[1], k2 = k[2], k3 = k[3];

    do {
        STEPS_128(k0, k1, k2, k3);
    } while (--steps != 0);
#elif TINYJAMBU_KEY_BYTES == 24
    for (; steps != 0; steps -= 3) {
        KEEP(k); /* Its words stay where they are; loads before the loop would go to the stack. */
        STEPS_128(k[0], k[1], k[2], k[3]);
        STEPS_128(k[4], k[5], k[0], k[1]);
        if (steps == 2) {
            break;
        }
        STEPS_128(k[2], k[3], k[4], k[5]);
    }
#else
    for (; steps != 0; steps -= 2) {
        KEEP(k); /* Its words stay where they are; loads before the loop would go to the stack. */
        STEPS_128(k[0], k[1], k[2], k[3]);
        if (steps == 1) {
            break;
        }
        STEPS_128(k[4], k[5], k[6], k[7]);
    }
#endif
    s->words[0] = little_endian32(s0);
    s->words[1] = little_endian32(s1);
    s->words[2] = little_endian32(s2);
    s->words[3] = little_endian32(s3);
}
