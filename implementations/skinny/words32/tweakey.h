/*
 * A half of a tweakey of SKINNY-128 in 32-bit words, and its update from round to round.
 *
 * References: "The SKINNY Family" (2016), section 2; same names.
 */
#ifndef PENNYWEIGHT_SKINNY_TWEAKEY_H
#define PENNYWEIGHT_SKINNY_TWEAKEY_H

#include <stdint.h>

#include "bytes.h"
#include "inline.h"
#include "keep.h"

/* The round tweakey, for the state's first two rows; the first cell is least significant. */
typedef struct {
    uint32_t row[2];
} skinny128_rows;

/* The permutation of a half: cells 1, 7, 0, 5, 2, 6, 4, 3. */
ALWAYS_INLINE skinny128_rows permuted(skinny128_rows half)
{
    const uint32_t x = half.row[0], y = half.row[1];
    uint32_t x0 = x & 0xff, y0 = y & 0xff;

    KEEP(x0); /* otherwise compilers shift first and need two more masks */
    KEEP(y0);
    return (skinny128_rows){{
        (x >> 8 & 0xff) | (y >> 24) << 8 | x0 << 16 | (y >> 8) << 24,
        (x >> 16 & 0xff) | (y >> 16 & 0xff) << 8 | y0 << 16 | (x >> 24) << 24,
    }};
}

/* TK2's LFSR on four cells: x7 ... x0 become x6 ... x0, x7 + x5. Masked first, one of the shifts is
 * part of the sum on most cores; compilers would shift first. */
ALWAYS_INLINE uint32_t lfsr2(uint32_t x)
{
    uint32_t highest = (x ^ x << 2) & UINT32_C(0x80808080);

    x &= UINT32_C(0x7f7f7f7f);
    KEEP(x);
    KEEP(highest);
    return x << 1 | highest >> 7;
}

/* TK3's LFSR on four cells: x7 ... x0 become x0 + x6, x7 ... x1. */
ALWAYS_INLINE uint32_t lfsr3(uint32_t x)
{
    uint32_t lowest = (x ^ x >> 6) & UINT32_C(0x01010101);

    x &= UINT32_C(0xfefefefe);
    KEEP(x);
    KEEP(lowest);
    return x >> 1 | lowest << 7;
}

/* The rows whose 8 bytes are at `half`. */
ALWAYS_INLINE skinny128_rows load(const uint8_t *half)
{
    return (skinny128_rows){{load32_le(half), load32_le(half + 4)}};
}

#endif
