/*
 * A half of a tweakey of SKINNY-128 in bytes, and its conversion to slices.
 *
 * References: "The SKINNY Family" (2016), section 2 (see skinny128.h); same names.
 */
#ifndef PENNYWEIGHT_SKINNY_HALF_H
#define PENNYWEIGHT_SKINNY_HALF_H

#include <stdint.h>

#include "exchange8.h"
#include "inline.h"

enum { HALF = 8 };

/* The round tweakey, for the state's first two rows: byte b has bit b of all eight cells. */
typedef struct {
    uint8_t slice[HALF];
} skinny128_half;

/* Converts eight cells (two rows) to eight slices, or back: bit i of byte j becomes bit j of byte
 * i. `to` may be `from`. */
ALWAYS_INLINE void transpose_half(uint8_t *to, const uint8_t *from)
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

/* A cell of TK1, unchanged. */
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

/* Adds the half `from`. */
ALWAYS_INLINE void add_half(uint8_t *to, const uint8_t *from)
{
    for (uint8_t i = 0; i < HALF; i++) {
        to[i] ^= from[i];
    }
}

#endif
