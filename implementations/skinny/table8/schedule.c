/*
 * SKINNY-128's tweakey schedule in bytes, for an AVR.
 *
 * References: "The SKINNY Family" (2016), section 2 (see skinny128.h); same names; AVR
 * Instruction Set Manual (DS40002198).
 *
 * P_T swaps the halves of a tweakey and permutes the former second half. So each half is updated by
 * itself and used in every second round, after one more permutation and step of the LFSR.
 */
#include "skinny128.h"

#if defined(__AVR__) && !defined(__clang__)

#include <stddef.h>

#include "constants.h"
#include "flash.h"
#include "inline.h"

static const uint8_t constants[] IN_FLASH = {SKINNY_CONSTANTS};

enum lfsr { LFSR_NONE, LFSR_2, LFSR_3 };

/* A step of a tweakey's LFSR on a cell. */
ALWAYS_INLINE uint8_t step(uint8_t x, enum lfsr lfsr)
{
    uint8_t t;

    if (lfsr == LFSR_2) { /* x6 ... x0, x7 + x5 */
        __asm__("mov %1, %0\n\tlsl %1\n\tlsl %1\n\teor %1, %0\n\tlsl %1\n\trol %0"
                : "+r"(x), "=&r"(t));
    } else if (lfsr == LFSR_3) { /* x0 + x6, x7 ... x1 */
        __asm__("clr %1\n\tbst %0, 6\n\tbld %1, 0\n\teor %1, %0\n\tlsr %1\n\tror %0"
                : "+r"(x), "=&r"(t));
    }
    return x;
}

/* Advances half a tweakey by one step: permutation and LFSR. */
#define NEXT(lfsr)                                                                                 \
    do {                                                                                           \
        const uint8_t was0 = h0, was3 = h3;                                                        \
        h0 = step(h1, lfsr);                                                                       \
        h1 = step(h7, lfsr);                                                                       \
        h7 = step(was3, lfsr);                                                                     \
        h3 = step(h5, lfsr);                                                                       \
        h5 = step(h6, lfsr);                                                                       \
        h6 = step(h4, lfsr);                                                                       \
        h4 = step(h2, lfsr);                                                                       \
        h2 = step(was0, lfsr);                                                                     \
    } while (0)

/* Writes the sum of half a tweakey and `from`, or the round constants if that is NULL, for every
 * second round from the one `to` points to on. */
ALWAYS_INLINE void add(uint8_t *to, const uint8_t *from, const uint8_t *half, uint8_t odd,
                       uint8_t count, enum lfsr lfsr)
{
    uint8_t h0 = half[0], h1 = half[1], h2 = half[2], h3 = half[3];
    uint8_t h4 = half[4], h5 = half[5], h6 = half[6], h7 = half[7];
    const uint8_t *rc = constants + odd;

    if (odd) {
        NEXT(lfsr);
    }
    for (;;) {
        if (from == NULL) {
            const uint8_t c = flash_u8(rc);

            to[0] = (uint8_t)(h0 ^ (c & 15));
            to[1] = h1;
            to[2] = h2;
            to[3] = h3;
            to[4] = h4 ^ c >> 4;
            to[5] = h5;
            to[6] = h6;
            to[7] = h7;
            rc += 2;
        } else {
            to[0] = from[0] ^ h0;
            to[1] = from[1] ^ h1;
            to[2] = from[2] ^ h2;
            to[3] = from[3] ^ h3;
            to[4] = from[4] ^ h4;
            to[5] = from[5] ^ h5;
            to[6] = from[6] ^ h6;
            to[7] = from[7] ^ h7;
            from += 16;
        }
        to += 16;
        if (--count == 0) {
            return;
        }
        NEXT(lfsr);
    }
}

/* Writes, for every round, the sum of a tweakey of 16 bytes and `from`, or the round constants if
 * that is NULL. The tweakey's first half goes into even rounds, its second into odd ones. */
ALWAYS_INLINE void add_both(skinny128_rows *to, const skinny128_rows *from, const uint8_t *tk,
                            enum lfsr lfsr)
{
    const uint8_t half = SKINNY128_ROUNDS / 2;

    add((uint8_t *)to, (const uint8_t *)from, tk, 0, half, lfsr);
    add((uint8_t *)(to + 1), from == NULL ? NULL : (const uint8_t *)(from + 1), tk + 8, 1, half,
        lfsr);
}

void skinny128_set_key(skinny128_schedule *s, const uint8_t *key)
{
#if SKINNY128_KEEPS_TK3
    skinny128_rows *to = s->key;
#else
    skinny128_rows *to = s->sum;
#endif

    add_both(to, NULL, key, SKINNY128_TWEAKEYS == 3 ? LFSR_3 : LFSR_2);
}

#if SKINNY128_TWEAKEYS == 3 && SKINNY128_KEEPS_TK3
void skinny128_set_tk2(skinny128_schedule *s, const uint8_t *tk2)
{
    add_both(s->sum, s->key, tk2, LFSR_2);
}
#endif

#if SKINNY128_TWEAKEYS == 3 && !SKINNY128_KEEPS_TK3
void skinny128_set_key_tk2(skinny128_schedule *s, const uint8_t *key, const uint8_t *tk2)
{
    skinny128_set_key(s, key);
    add_both(s->sum, s->sum, tk2, LFSR_2);
}
#endif

void skinny128_add_tk1_upper(skinny128_schedule *s, const uint8_t *upper)
{
    uint8_t *odd = (uint8_t *)(s->sum + 1);

    add(odd, odd, upper, 1, SKINNY128_ROUNDS / 2, LFSR_NONE);
}

void skinny128_expand_tk1(skinny128_rows *rows, const uint8_t *lower)
{
    uint8_t h0 = lower[0], h1 = lower[1], h2 = lower[2], h3 = lower[3];
    uint8_t h4 = lower[4], h5 = lower[5], h6 = lower[6], h7 = lower[7];
    uint8_t *to = (uint8_t *)rows;

    for (uint8_t i = SKINNY128_PERIOD; i != 0; i--) {
        *to++ = h0;
        *to++ = h1;
        *to++ = h2;
        *to++ = h3;
        *to++ = h4;
        *to++ = h5;
        *to++ = h6;
        *to++ = h7;
        NEXT(LFSR_NONE);
    }
}

#else

#include "../words32/schedule.c"

#endif
