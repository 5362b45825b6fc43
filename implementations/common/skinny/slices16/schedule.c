/*
 * SKINNY-128's tweakey schedule in bytes, made into slices.
 *
 * References: "The SKINNY Family" (2016), section 2 (see skinny128.h); names as there.
 *
 * P_T exchanges the halves of a tweakey and permutes what was the second. So each half goes its own
 * way and is used in every second round, after one more permutation and one more step of the LFSR.
 */
#include "skinny128.h"

#include <stddef.h>

#include "bytes.h"
#include "constants.h"
#include "flash.h"
#include "inline.h"
#include "keep.h"

enum { HALF = 8 };

static const uint8_t constants[] IN_FLASH = {SKINNY_CONSTANTS};

/* Exchanges the bits of `b` under `mask` with those of `a` that stand `shift` places higher. */
#define EXCHANGE(a, b, shift, mask)                                                                \
    do {                                                                                           \
        const uint8_t t = (uint8_t)(((a) >> (shift) ^ (b)) & (mask));                              \
        (b) ^= t;                                                                                  \
        (a) ^= (uint8_t)(t << (shift));                                                            \
    } while (0)

/* The same with the lower half of `b` and the upper half of `a`. */
#define ROTATE(x) (uint8_t)((x) << 4 | (x) >> 4)
#define EXCHANGE_HALVES(a, b)                                                                      \
    do {                                                                                           \
        uint8_t t = (ROTATE(a) ^ (b)) & 15;                                                        \
        (b) ^= t;                                                                                  \
        KEEP(t);                                                                                   \
        (a) ^= ROTATE(t);                                                                          \
    } while (0)

void skinny128_transpose(uint8_t *to, const uint8_t *from)
{
    uint8_t a = from[0], b = from[1], c = from[2], d = from[3];
    uint8_t e = from[4], f = from[5], g = from[6], h = from[7];

    EXCHANGE_HALVES(a, e);
    EXCHANGE_HALVES(b, f);
    EXCHANGE_HALVES(c, g);
    EXCHANGE_HALVES(d, h);
    EXCHANGE(a, c, 2, 0x33);
    EXCHANGE(b, d, 2, 0x33);
    EXCHANGE(e, g, 2, 0x33);
    EXCHANGE(f, h, 2, 0x33);
    EXCHANGE(a, b, 1, 0x55);
    EXCHANGE(c, d, 1, 0x55);
    EXCHANGE(e, f, 1, 0x55);
    EXCHANGE(g, h, 1, 0x55);
    to[0] = a;
    to[1] = b;
    to[2] = c;
    to[3] = d;
    to[4] = e;
    to[5] = f;
    to[6] = g;
    to[7] = h;
}

/* A cell of TK1, as it is. */
ALWAYS_INLINE uint8_t same(uint8_t x)
{
    return x;
}

/* TK2's LFSR on a cell: x7 ... x0 become x6 ... x0, x7 + x5. */
ALWAYS_INLINE uint8_t lfsr2(uint8_t x)
{
    const uint8_t highest = (uint8_t)(x ^ x << 2);

    return (uint8_t)(x << 1 | highest >> 7);
}

/* TK3's LFSR on a cell: x7 ... x0 become x0 + x6, x7 ... x1. */
ALWAYS_INLINE uint8_t lfsr3(uint8_t x)
{
    const uint8_t second = (uint8_t)(x ^ x << 6);

    return (uint8_t)(x >> 1 | ((second << 1) & 0x80));
}

/* Permutes a half: cells 1, 7, 0, 5, 2, 6, 4, 3. Then takes a step of `lfsr`. */
ALWAYS_INLINE void advance(uint8_t *cells, uint8_t (*lfsr)(uint8_t))
{
    const uint8_t first = cells[0];

    cells[0] = lfsr(cells[1]);
    cells[1] = lfsr(cells[7]);
    cells[7] = lfsr(cells[3]);
    cells[3] = lfsr(cells[5]);
    cells[5] = lfsr(cells[6]);
    cells[6] = lfsr(cells[4]);
    cells[4] = lfsr(cells[2]);
    cells[2] = lfsr(first);
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

/* Adds the half `from`. */
static void add(uint8_t *to, const uint8_t *from)
{
    for (uint8_t i = 0; i < HALF; i++) {
        to[i] ^= from[i];
    }
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
        add(taken.slice, from[i].slice);
        s->sum[i] = taken;
    }
}
#endif

#if SKINNY128_TWEAKEYS == 3 && !SKINNY128_KEEPS_TK3
/* Both in one go, so that the sums are made into slices. */
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
        add(sum, half2);
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
            add(s->sum[i].slice, slices);
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
