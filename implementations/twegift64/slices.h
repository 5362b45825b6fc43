/*
 * Shared by both directions of TweGIFT-64.
 *
 * References: S. Banik et al., "GIFT: A Small Present" (CHES 2017), section 2; same names.
 */
#ifndef PENNYWEIGHT_TWEGIFT64_SLICES_H
#define PENNYWEIGHT_TWEGIFT64_SLICES_H

#include "twegift64.h"

#include "rotate_short.h"

enum { TWEGIFT64_ROUNDS = 28 };

/* Exchanges the bits of x in `mask` with those `n` positions higher. */
static inline uint16_t exchange16(uint16_t x, uint16_t mask, uint8_t n)
{
    const uint16_t difference = (uint16_t)((x ^ x >> n) & mask);

    return (uint16_t)(x ^ difference ^ (unsigned)difference << n);
}

/* Transposes a slice as 4 by 4 bits and then exchanges rows 1 and 3: its own inverse except for the
 * order. */
static inline uint16_t transpose(uint16_t x)
{
    return exchange16(exchange16(x, 0x0a0a, 3), 0x00cc, 6);
}

/* Exchanges rows 1 and 3 of a slice as 4 by 4 bits. */
static inline uint16_t exchange_rows(uint16_t x)
{
    return exchange16(x, 0x00f0, 8);
}

/* The tweak's code word, twice. */
static inline uint16_t twegift64_tweak(uint8_t code)
{
    return (uint16_t)(code | (unsigned)code << 8);
}

#endif
