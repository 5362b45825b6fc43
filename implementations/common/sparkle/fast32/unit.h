/*
 * Modes of Sparkle on words of 32 bits.
 *
 * References: C. Beierle et al., "Schwaemm and Esch" (v1.2, 2021), chapter 2: all that modes do
 * with blocks is to add them.
 */
#ifndef PENNYWEIGHT_SPARKLE_UNIT_H
#define PENNYWEIGHT_SPARKLE_UNIT_H

#include <stdint.h>

#include "bytes.h"
#include "order.h"

/* In memory the least significant byte comes first, as in the words of the state. */
typedef uint32_t sparkle_unit;

static inline sparkle_unit load_unit(const uint8_t *p)
{
    return little_endian32(load32_le(p));
}

static inline void store_unit(uint8_t *p, sparkle_unit x)
{
    store32_le(p, little_endian32(x));
}

#endif
