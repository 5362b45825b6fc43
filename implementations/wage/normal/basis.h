/*
 * Products with omega of values in WAGE's normal basis, four in a word.
 *
 * References: M. Aagaard, R. AlTawy, G. Gong, K. Mandal, R. Rohit, N. Zidaric, "WAGE: An
 * Authenticated Cipher" (submission to NIST's lightweight cryptography project, round 2, 2019),
 * section 2; same names.
 */
#ifndef PENNYWEIGHT_WAGE_BASIS_H
#define PENNYWEIGHT_WAGE_BASIS_H

#include <stdint.h>

#include "circuits.h"
#include "inline.h"
#include "unroll.h"

/* Products with omega of the four values in a word. */
ALWAYS_INLINE uint32_t times_omega(uint32_t x)
{
    static const uint8_t products[7] = OMEGA_PRODUCTS;
    uint32_t sum = 0;

    UNROLL
    for (uint8_t i = 0; i < 7; i++) {
        sum ^= (x >> i & UINT32_C(0x01010101)) * products[i];
    }
    return sum;
}

#endif
