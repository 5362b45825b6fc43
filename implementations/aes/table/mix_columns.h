/*
 * MIXCOLUMNS on bytes, optimised for code size.
 *
 * References: FIPS 197 (2001, updated 2023), section 5.1.3; same names.
 */
#ifndef PENNYWEIGHT_AES_MIX_COLUMNS_H
#define PENNYWEIGHT_AES_MIX_COLUMNS_H

#include <stdint.h>

#include "xtimes.h"

/* MIXCOLUMNS. For a byte a and the bytes b, c, d below it, the result is {02} a ^ {03} b ^ c ^ d =
 * {02} (a ^ b) ^ a ^ (a ^ b ^ c ^ d). */
static void mix_columns(uint8_t s[16])
{
    for (uint8_t c = 0; c < 4; c++) {
        const uint8_t first = s[0], sum = s[0] ^ s[1] ^ s[2] ^ s[3];

        for (uint8_t r = 0; r < 4; r++) {
            const uint8_t below = r == 3 ? first : s[1];
            *s = *s ^ sum ^ xtimes(*s ^ below);
            s++;
        }
    }
}

#endif
