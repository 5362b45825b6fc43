/*
 * SKINNY-128's tweakey schedule in the order of P_T's cycle, in 32-bit words.
 *
 * References: "The SKINNY Family" (2016), section 2 (see skinny128.h); same names.
 *
 * P_T swaps the halves of a tweakey and permutes the former second half. So each half is updated by
 * itself and used in every second round, after one more permutation and step of the LFSR. The
 * permutation moves each cell of a half to the next position in one cycle of all eight: in the
 * order of that cycle it rotates by one cell, and four rotations swap the words. It moves cells,
 * and the LFSRs change them in place, so it can be deferred until the tweakeys are added.
 */
#ifndef PENNYWEIGHT_SKINNY_CYCLE_H
#define PENNYWEIGHT_SKINNY_CYCLE_H

#include <stdint.h>

#include "constants.h"
#include "inline.h"
#include "tweakey.h"

static const uint8_t constants[] = {SKINNY_CONSTANTS};

/* Half a tweakey in the order of the cycle: cells 0, 1, 7, 3 and 5, 6, 4, 2. */
typedef struct {
    uint32_t word[2];
} skinny128_cycle;

/* The first half of a tweakey, or the second if `odd` is 1, in the order of the cycle. */
ALWAYS_INLINE skinny128_cycle load_cycle(const uint8_t *tweakey, unsigned odd)
{
    const skinny128_rows half = load(tweakey + 8 * odd);
    const uint32_t x = half.row[0], y = half.row[1];

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

/* The sum of two halves. */
ALWAYS_INLINE skinny128_cycle plus(skinny128_cycle a, skinny128_cycle b)
{
    return (skinny128_cycle){{a.word[0] ^ b.word[0], a.word[1] ^ b.word[1]}};
}

/* A half of each tweakey, advanced round by round. */
typedef struct {
    skinny128_cycle tk1, tk2, tk3;
} skinny128_halves;

/* Writes a round's tweakey, with constants; the halves lag by `n` rotations. The LFSRs advance. */
ALWAYS_INLINE void round_sum(skinny128_rows *to, uint8_t rc, skinny128_halves *h, unsigned n)
{
    const skinny128_rows taken = rows_of(turned(plus(plus(h->tk1, h->tk2), h->tk3), n));

    to->row[0] = taken.row[0] ^ (rc & 15);
    to->row[1] = taken.row[1] ^ rc >> 4;
    h->tk2 = step2(h->tk2);
    h->tk3 = step3(h->tk3);
}

/* Writes each round's tweakey; without TK1, which is then not read, if `with_tk1` is 0. */
ALWAYS_INLINE void expand(skinny128_rows *sum, const uint8_t *tk1, const uint8_t *tk2,
                          const uint8_t *tk3, int with_tk1)
{
    for (unsigned odd = 0; odd < 2; odd++) {
        const skinny128_cycle zero = {{0, 0}};
        skinny128_halves h = {
            with_tk1 ? load_cycle(tk1, odd) : zero,
            load_cycle(tk2, odd),
            load_cycle(tk3, odd),
        };
        skinny128_rows *to = sum + odd;
        const uint8_t *rc = constants + odd;

        if (odd) {
            h.tk1 = turned(h.tk1, 1);
            h.tk2 = step2(turned(h.tk2, 1));
            h.tk3 = step3(turned(h.tk3, 1));
        }
        for (;;) {
            round_sum(to, rc[0], &h, 0);
            round_sum(to + 2, rc[2], &h, 1);
            round_sum(to + 4, rc[4], &h, 2);
            round_sum(to + 6, rc[6], &h, 3);
            if (rc >= constants + (SKINNY128_ROUNDS - 8)) {
                break;
            }
            to += 8;
            rc += 8;
            h.tk1 = turned_by_4(h.tk1);
            h.tk2 = turned_by_4(h.tk2);
            h.tk3 = turned_by_4(h.tk3);
        }
    }
}

#endif
