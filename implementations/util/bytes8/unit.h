/*
 * The unit that modes of permutations process: here, bytes. They only add blocks to a
 * state.
 *
 * References: none beyond C11.
 */
#ifndef PENNYWEIGHT_UTIL_UNIT_H
#define PENNYWEIGHT_UTIL_UNIT_H

#include <stdint.h>

/* Stored in memory order. */
typedef uint8_t unit;

/* The unit of the bytes at `p`. */
static inline unit load_unit_if(const uint8_t *p, int aligned)
{
    (void)aligned;
    return *p;
}

/* Writes the bytes of `x` to `p`. */
static inline void store_unit_if(uint8_t *p, unit x, int aligned)
{
    (void)aligned;
    *p = x;
}

/* The same for any address. */
static inline unit load_unit(const uint8_t *p)
{
    return *p;
}

/* Writes the bytes of `x` to `p`, any address. */
static inline void store_unit(uint8_t *p, unit x)
{
    *p = x;
}

/* Whether units at `p` and `q` are at aligned addresses: a constant where it does not matter. */
static inline int units_aligned(const void *p, const void *q)
{
    (void)p;
    (void)q;
    return 1;
}

#endif
