/*
 * SKINNY-128's state in 32-bit words: a row each, the first cell least significant.
 *
 * References: "The SKINNY Family" (2016), section 2 (see skinny128.h).
 */
#ifndef PENNYWEIGHT_SKINNY_BLOCK_H
#define PENNYWEIGHT_SKINNY_BLOCK_H

#include <stdint.h>

#include "aligned.h"
#include "bytes.h"
#include "inline.h"
#include "order.h"

/* The four rows of the state. */
typedef struct {
    uint32_t row[4];
} skinny128_state;

/* Reads the 16 bytes of `block`. */
ALWAYS_INLINE skinny128_state load_block(const uint8_t *block)
{
    if (is_aligned32(block)) {
        return (skinny128_state){{
            little_endian32(load32_aligned(block)),
            little_endian32(load32_aligned(block + 4)),
            little_endian32(load32_aligned(block + 8)),
            little_endian32(load32_aligned(block + 12)),
        }};
    }
    return (skinny128_state){{
        load32_le(block),
        load32_le(block + 4),
        load32_le(block + 8),
        load32_le(block + 12),
    }};
}

/* Writes the 16 bytes of `block`. */
ALWAYS_INLINE void store_block(uint8_t *block, skinny128_state x)
{
    if (is_aligned32(block)) {
        store32_aligned(block, little_endian32(x.row[0]));
        store32_aligned(block + 4, little_endian32(x.row[1]));
        store32_aligned(block + 8, little_endian32(x.row[2]));
        store32_aligned(block + 12, little_endian32(x.row[3]));
        return;
    }
    store32_le(block, x.row[0]);
    store32_le(block + 4, x.row[1]);
    store32_le(block + 8, x.row[2]);
    store32_le(block + 12, x.row[3]);
}

#endif
