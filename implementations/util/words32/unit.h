/*
 * The unit that modes of permutations process: here, words of 32 bits. They only add blocks to a
 * state, so the byte order of words does not matter.
 *
 * References: none beyond C11.
 */
#ifndef PENNYWEIGHT_UTIL_UNIT_H
#define PENNYWEIGHT_UTIL_UNIT_H

#include <stdint.h>

#include "aligned.h"
#include "bytes.h"
#include "inline.h"
#include "order.h"

/* Stored in memory order. */
typedef uint32_t unit;

/* The unit of the bytes at `p`. If `aligned`, is_aligned32 holds. */
ALWAYS_INLINE unit load_unit_if(const uint8_t *p, int aligned)
{
    return aligned ? load32_aligned(p) : little_endian32(load32_le(p));
}

/* Writes the bytes of `x` to `p`. If `aligned`, is_aligned32 holds. */
ALWAYS_INLINE void store_unit_if(uint8_t *p, unit x, int aligned)
{
    if (aligned) {
        store32_aligned(p, x);
    } else {
        store32_le(p, little_endian32(x));
    }
}

/* The same for any address. */
static inline unit load_unit(const uint8_t *p)
{
    return load_unit_if(p, 0);
}

/* Writes the bytes of `x` to `p`, any address. */
static inline void store_unit(uint8_t *p, unit x)
{
    store_unit_if(p, x, 0);
}

/* Whether units at `p` and `q` are at aligned addresses: a constant where it does not matter. */
static inline int units_aligned(const void *p, const void *q)
{
    return is_aligned32(p) && is_aligned32(q);
}

#endif
