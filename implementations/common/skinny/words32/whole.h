/*
 * SKINNY-128-384+'s tweakey schedule in one go, in 32-bit words.
 *
 * References: "The SKINNY Family" (2016), section 2 (see skinny128.h); names as there.
 *
 * P_T takes each cell of a half to the place of the next in one cycle of all eight: in the order of
 * that cycle it is a rotation by a cell, and four of them exchange the words. It moves cells, and
 * the LFSRs change them where they are, so it can wait until the three tweakeys are one sum.
 */
#ifndef PENNYWEIGHT_SKINNY_WHOLE_H
#define PENNYWEIGHT_SKINNY_WHOLE_H

#include <stdint.h>

#include "constants.h"
#include "inline.h"
#include "tweakey.h"

/* Half a tweakey in the order of the cycle: cells 0, 1, 7, 3 and 5, 6, 4, 2. */
typedef struct {
    uint32_t word[2];
} skinny128_cycle;

/* Half a tweakey, 8 bytes, in the order of the cycle. */
ALWAYS_INLINE skinny128_cycle load_cycle(const uint8_t *half)
{
    const uint32_t x = load32_le(half), y = load32_le(half + 4);

    return (skinny128_cycle){{
        (x & UINT32_C(0xff00ffff)) | (y >> 24) << 16,
        (y >> 8 & 0xffff) | (y & 0xff) << 16 | (x << 8 & UINT32_C(0xff000000)),
    }};
}

/* `n` times P_T, n from 0 to 3. */
ALWAYS_INLINE skinny128_cycle turned(skinny128_cycle h, unsigned n)
{
    if (n == 0) {
        return h;
    }
    return (skinny128_cycle){{
        h.word[0] >> 8 * n | h.word[1] << (32 - 8 * n),
        h.word[1] >> 8 * n | h.word[0] << (32 - 8 * n),
    }};
}

/* Four times P_T. */
ALWAYS_INLINE skinny128_cycle turned_by_4(skinny128_cycle h)
{
    return (skinny128_cycle){{h.word[1], h.word[0]}};
}

/* Half a tweakey in the order of the state: two rows of four cells. */
ALWAYS_INLINE skinny128_rows rows_of(skinny128_cycle h)
{
    const uint32_t x = h.word[0], y = h.word[1];

    return (skinny128_rows){{
        (x & UINT32_C(0xff00ffff)) | (y >> 24) << 16,
        (y << 8 & UINT32_C(0x00ffff00)) | (y >> 16 & 0xff) | (x << 8 & UINT32_C(0xff000000)),
    }};
}

/* A step of the LFSR of TK2 on all cells. */
ALWAYS_INLINE skinny128_cycle step2(skinny128_cycle h)
{
    return (skinny128_cycle){{lfsr2(h.word[0]), lfsr2(h.word[1])}};
}

/* A step of the LFSR of TK3 on all cells. */
ALWAYS_INLINE skinny128_cycle step3(skinny128_cycle h)
{
    return (skinny128_cycle){{lfsr3(h.word[0]), lfsr3(h.word[1])}};
}

/* What a round takes, with its constants. The LFSRs go on. */
#define ROUND_SUM(n)                                                                               \
    do {                                                                                           \
        const skinny128_cycle sum = {                                                              \
            {tk1.word[0] ^ tk2.word[0] ^ tk3.word[0], tk1.word[1] ^ tk2.word[1] ^ tk3.word[1]}};   \
        const skinny128_rows taken = rows_of(turned(sum, n));                                      \
                                                                                                   \
        to[2 * (n)].row[0] = taken.row[0] ^ (rc[2 * (n)] & 15);                                    \
        to[2 * (n)].row[1] = taken.row[1] ^ rc[2 * (n)] >> 4;                                      \
        tk2 = step2(tk2);                                                                          \
        tk3 = step3(tk3);                                                                          \
    } while (0)

/* Writes what each of the 40 rounds adds. */
NEVER_INLINE void expand(skinny128_rows *key, const uint8_t *key1, const uint8_t *key2,
                         const uint8_t *key3)
{
    static const uint8_t constants[] = {SKINNY_CONSTANTS};

    for (unsigned odd = 0; odd < 2; odd++) {
        skinny128_cycle tk1 = load_cycle(key1 + 8 * odd), tk2 = load_cycle(key2 + 8 * odd);
        skinny128_cycle tk3 = load_cycle(key3 + 8 * odd);
        skinny128_rows *to = key + odd;
        const uint8_t *rc = constants + odd;

        if (odd) {
            tk1 = turned(tk1, 1);
            tk2 = step2(turned(tk2, 1));
            tk3 = step3(turned(tk3, 1));
        }
        for (; rc < constants + SKINNY128_ROUNDS; to += 8, rc += 8) {
            ROUND_SUM(0);
            ROUND_SUM(1);
            ROUND_SUM(2);
            ROUND_SUM(3);
            tk1 = turned_by_4(tk1);
            tk2 = turned_by_4(tk2);
            tk3 = turned_by_4(tk3);
        }
    }
}

#undef ROUND_SUM

#endif
