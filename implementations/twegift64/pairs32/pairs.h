/*
 * TweGIFT-64 in words of 32 bits: two slices share a word wherever bits are permuted.
 *
 * References: see twegift64.h.
 *
 * A slice has 16 bits; if it has its own word, the bits above are ignored.
 */
#ifndef PENNYWEIGHT_TWEGIFT64_PAIRS_H
#define PENNYWEIGHT_TWEGIFT64_PAIRS_H

#include <stdint.h>

#include "bytes.h"
#include "inline.h"

enum { TWEGIFT64_ROUNDS = 28 };

/* Two slices in a word, the second above the first. */
ALWAYS_INLINE uint32_t pair(uint32_t first, uint32_t second)
{
    return (first & 0xffff) | second << 16;
}

/* Exchanges the bits of x in `mask` with those `n` positions higher. */
ALWAYS_INLINE uint32_t exchange(uint32_t x, uint32_t mask, unsigned n)
{
    const uint32_t difference = (x ^ x >> n) & mask;

    return x ^ difference ^ difference << n;
}

/* Transposes both slices as 4 by 4 bits, and exchanges rows 1 and 3. */
ALWAYS_INLINE uint32_t transpose(uint32_t x)
{
    return exchange(exchange(x, UINT32_C(0x0a0a0a0a), 3), UINT32_C(0x00cc00cc), 6);
}

/* Exchanges rows 1 and 3 of both slices. */
ALWAYS_INLINE uint32_t exchange_rows(uint32_t x)
{
    return exchange(x, UINT32_C(0x00f000f0), 8);
}

/* The slice in the lower half of x rotated to the left by n, 1 <= n <= 15; nothing is above it. */
ALWAYS_INLINE uint32_t rotate(uint32_t x, unsigned n)
{
    return x << n | x >> (16 - n);
}

/* The words of the key that a round takes, V rotated to the left by `v` and U by `u`. */
ALWAYS_INLINE uint32_t round_key(uint32_t key, unsigned v, unsigned u)
{
    return pair(rotate(key & 0xffff, v), rotate(key >> 16, u));
}

#endif
