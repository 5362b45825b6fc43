/*
 * Modes of Sparkle on bytes.
 *
 * References: C. Beierle et al., "Schwaemm and Esch" (v1.2, 2021), chapter 2: all that modes do
 * with blocks is to add them.
 */
#ifndef PENNYWEIGHT_SPARKLE_UNIT_H
#define PENNYWEIGHT_SPARKLE_UNIT_H

#include <stdint.h>

typedef uint8_t sparkle_unit;

static inline sparkle_unit load_unit(const uint8_t *p)
{
    return *p;
}

static inline void store_unit(uint8_t *p, sparkle_unit x)
{
    *p = x;
}

#endif
