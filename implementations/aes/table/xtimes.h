/*
 * Multiplication by {02} in the field of AES.
 *
 * References: FIPS 197 (2001, updated 2023), section 4.2.
 */
#ifndef PENNYWEIGHT_AES_TABLE_XTIMES_H
#define PENNYWEIGHT_AES_TABLE_XTIMES_H

#include <stdint.h>

#include "inline.h"

/* XTIMES: the product of x and {02}. */
ALWAYS_INLINE uint8_t xtimes(uint8_t x)
{
    const uint8_t mask = (uint8_t)(0 - (x >> 7));
    return (uint8_t)(x << 1 ^ (mask & 0x1b));
}

#endif
