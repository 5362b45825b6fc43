/*
 * Moves bits within a 32-bit word.
 *
 * References: none beyond C11; A. Adomnicai, Z. Najm, T. Peyrin, "Fixslicing: A New GIFT
 * Representation" (TCHES 2020) for where they are needed.
 *
 * A rotation of all fields of a word takes one mask: it selects the bits to move down in one term,
 * and the bits to remove in the other. KEEP makes the compiler use one mask, in a register.
 */
#ifndef PENNYWEIGHT_GIFT_BITS_H
#define PENNYWEIGHT_GIFT_BITS_H

#include <stdint.h>

#include "inline.h"
#include "keep.h"

/* The lowest `n` bits of every field of `width` bits. */
#define LOW_BITS(n, width)                                                                         \
    (UINT32_C(0xffffffff) / (((UINT32_C(1) << (width) / 2) << (width) / 2) - 1) *                  \
     ((UINT32_C(1) << (n)) - 1))

/* Every field of `width` bits of x rotated right by `n`; `mask` is LOW_BITS(width - n, width). */
ALWAYS_INLINE uint32_t rotate_right(uint32_t x, unsigned n, unsigned width, uint32_t mask)
{
    uint32_t up = x << (width - n);

    KEEP(up);
    x = (x >> n ^ up) & mask;
    KEEP(x);
    return x ^ up;
}

/* Every field of `width` bits of x rotated left by `n`; `mask` is LOW_BITS(width - n, width). */
ALWAYS_INLINE uint32_t rotate_left(uint32_t x, unsigned n, unsigned width, uint32_t mask)
{
    uint32_t down = x >> (width - n);

    KEEP(down);
    x = (x << n ^ down) & mask << n;
    KEEP(x);
    return x ^ down;
}

/* Exchanges the bits of x in `mask` with those `n` positions higher. */
ALWAYS_INLINE uint32_t swap_bits(uint32_t x, uint32_t mask, unsigned n)
{
    const uint32_t difference = (x ^ x >> n) & mask;

    return x ^ difference ^ difference << n;
}

#endif
