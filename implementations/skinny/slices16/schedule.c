/*
 * SKINNY-128's tweakey schedule in bytes, converted to slices.
 *
 * References: "The SKINNY Family" (2016), section 2 (see skinny128.h); same names.
 *
 * P_T swaps the halves of a tweakey and permutes the former second half. So each half is updated by
 * itself and used in every second round, after one more permutation and step of the LFSR.
 */
#include "skinny128.h"

#include <stddef.h>

#include "bytes.h"
#include "constants.h"
#include "flash.h"
#include "half.h"
#include "inline.h"

static const uint8_t constants[] IN_FLASH = {SKINNY_CONSTANTS};

void skinny128_transpose(uint8_t *to, const uint8_t *from)
{
    transpose_half(to, from);
}

/* The next half of TK1. */
NEVER_INLINE void advance_tk1(uint8_t *cells)
{
    advance(cells, same);
}

/* The next half of TK2. */
NEVER_INLINE void advance_tk2(uint8_t *cells)
{
    advance(cells, lfsr2);
}

#if SKINNY128_TWEAKEYS == 3
/* The next half of TK3. */
NEVER_INLINE void advance_tk3(uint8_t *cells)
{
    advance(cells, lfsr3);
}
#else
#define advance_tk3 advance_tk2
#endif

/* The slices of `cells` and of the constants of round `i`. */
static void add_constants(skinny128_half *to, const uint8_t *cells, uint8_t i)
{
    const uint8_t c = flash_u8(&constants[i]);

    copy_bytes(to->slice, cells, HALF);
    to->slice[0] = (uint8_t)(to->slice[0] ^ (c & 15));
    to->slice[4] ^= (uint8_t)(c >> 4);
    skinny128_transpose(to->slice, to->slice);
}

void skinny128_set_key(skinny128_schedule *s, const uint8_t *key)
{
#if SKINNY128_KEEPS_TK3
    skinny128_half *to = s->key;
#else
    skinny128_half *to = s->sum;
#endif
    uint8_t cells[2][HALF];

    copy_bytes(cells[0], key, 2 * HALF);
    for (uint8_t i = 0; i < SKINNY128_ROUNDS; i++) {
        uint8_t *half = cells[i & 1];

        if (i != 0) {
            advance_tk3(half);
        }
        add_constants(&to[i], half, i);
    }
}

#if SKINNY128_TWEAKEYS == 3 && SKINNY128_KEEPS_TK3
void skinny128_set_tk2(skinny128_schedule *s, const uint8_t *tk2)
{
    const skinny128_half *from = s->key;
    uint8_t cells[2][HALF];

    copy_bytes(cells[0], tk2, 2 * HALF);
    for (uint8_t i = 0; i < SKINNY128_ROUNDS; i++) {
        uint8_t *half = cells[i & 1];
        skinny128_half taken;

        if (i != 0) {
            advance_tk2(half);
        }
        skinny128_transpose(taken.slice, half);
        add_half(taken.slice, from[i].slice);
        s->sum[i] = taken;
    }
}
#endif

#if SKINNY128_TWEAKEYS == 3 && !SKINNY128_KEEPS_TK3
/* Both together, so that only the sums are converted to slices. */
void skinny128_set_key_tk2(skinny128_schedule *s, const uint8_t *key, const uint8_t *tk2)
{
    uint8_t cells3[2][HALF], cells2[2][HALF];

    copy_bytes(cells3[0], key, 2 * HALF);
    copy_bytes(cells2[0], tk2, 2 * HALF);
    for (uint8_t i = 0; i < SKINNY128_ROUNDS; i++) {
        uint8_t *half3 = cells3[i & 1], *half2 = cells2[i & 1];
        uint8_t sum[HALF];

        if (i != 0) {
            advance_tk3(half3);
            advance_tk2(half2);
        }
        copy_bytes(sum, half3, HALF);
        add_half(sum, half2);
        add_constants(&s->sum[i], sum, i);
    }
}
#endif

void skinny128_add_tk1_upper(skinny128_schedule *s, const uint8_t *upper)
{
    uint8_t cells[HALF], slices[HALF];

    copy_bytes(cells, upper, HALF);
    for (uint8_t first = 1; first < 2 * SKINNY128_PERIOD; first = (uint8_t)(first + 2)) {
        advance_tk1(cells);
        skinny128_transpose(slices, cells);
        for (uint8_t i = first; i < SKINNY128_ROUNDS; i = (uint8_t)(i + 2 * SKINNY128_PERIOD)) {
            add_half(s->sum[i].slice, slices);
        }
    }
}

void skinny128_expand_tk1(skinny128_half *halves, const uint8_t *lower)
{
    uint8_t cells[HALF];

    copy_bytes(cells, lower, HALF);
    skinny128_transpose(halves[0].slice, cells);
    for (uint8_t i = 1; i < SKINNY128_PERIOD; i++) {
        advance_tk1(cells);
        skinny128_transpose(halves[i].slice, cells);
    }
}
