/*
 * Doubling in GF(2^128) = GF(2)[x] / (x^128 + x^7 + x^2 + x + 1), on 16 bytes, with the
 * coefficients of x^0 to x^7 in byte 0. (block128.h uses the other order.)
 *
 * References: none beyond C11; each mode lists its own.
 */
#ifndef PENNYWEIGHT_UTIL_DOUBLE128_H
#define PENNYWEIGHT_UTIL_DOUBLE128_H

#include <stdint.h>

/* a = x a, in a time that does not depend on a. */
static inline void double128(uint8_t a[16])
{
    const uint8_t carry = (uint8_t)(0 - (a[15] >> 7));

    for (uint8_t i = 15; i != 0; i--) {
        a[i] = (uint8_t)((unsigned)a[i] << 1 | a[i - 1] >> 7);
    }
    a[0] = (uint8_t)((unsigned)a[0] << 1 ^ (carry & 0x87));
}

#endif
