/*
 * Layers of Saturnin that encryption and decryption share, bitsliced, in words of 32 bits.
 *
 * References: A. Canteaut, S. Duval, G. Leurent, M. Naya-Plasencia, L. Perrin, T. Pornin, A.
 * Schrottenloher, "Saturnin" (submission to NIST's lightweight cryptography project, round 2,
 * 2019), section 2; same names.
 *
 * Word i holds register i in its lower half and register i + 8 in its upper half, so that the lower
 * halves of words 0 to 3 are A, those of words 4 to 7 B, the upper halves C and D.
 */
#ifndef PENNYWEIGHT_SATURNIN_LAYERS_H
#define PENNYWEIGHT_SATURNIN_LAYERS_H

#include <stdint.h>

#include "rotate.h"

/* A += B, C += D. */
static void add_first(uint32_t x[8])
{
    for (uint8_t i = 0; i < 4; i++) {
        x[i] ^= x[4 + i];
    }
}

/* B += C, D += A. */
static void add_second(uint32_t x[8])
{
    for (uint8_t i = 0; i < 4; i++) {
        x[4 + i] ^= rotl32(x[i], 16);
    }
}

/* SR_slice, which rotates cells of 4 bits in B by 1, in C by 2, in D by 3; `back` is its inverse.
 */
static void rotate_slices(uint32_t x[8], uint8_t back)
{
    for (uint8_t i = 0; i < 4; i++) {
        uint32_t y = x[i];

        x[i] = (y & UINT32_C(0x0000ffff)) | (y & UINT32_C(0x33330000)) << 2 |
               (y >> 2 & UINT32_C(0x33330000));
        y = x[4 + i];
        if (back) {
            y = rotl32(y, 16);
        }
        y = (y & UINT32_C(0x7777)) << 1 | (y >> 3 & UINT32_C(0x1111)) |
            (y & UINT32_C(0x11110000)) << 3 | (y >> 1 & UINT32_C(0x77770000));
        if (back) {
            y = rotl32(y, 16);
        }
        x[4 + i] = y;
    }
}

/* SR_sheet, which rotates B by 4, C by 8, D by 12; `back` is its inverse. */
static void rotate_sheets(uint32_t x[8], uint8_t back)
{
    for (uint8_t i = 0; i < 4; i++) {
        uint32_t y = x[i];

        x[i] = (y & UINT32_C(0x0000ffff)) | (y & UINT32_C(0x00ff0000)) << 8 |
               (y >> 8 & UINT32_C(0x00ff0000));
        y = x[4 + i];
        if (back) {
            y = rotl32(y, 16);
        }
        y = (y & UINT32_C(0x0fff)) << 4 | (y >> 12 & UINT32_C(0x000f)) |
            (y & UINT32_C(0x000f0000)) << 12 | (y >> 4 & UINT32_C(0x0fff0000));
        if (back) {
            y = rotl32(y, 16);
        }
        x[4 + i] = y;
    }
}

/* Sixteen steps of the first of the two LFSRs of 16 bits: multiplication by X^16. */
static uint32_t next_constant_0(uint32_t x)
{
    const uint32_t y = x ^ x << 2 ^ x << 3 ^ x << 5;
    const uint32_t over = y >> 16;

    return (y & UINT32_C(0xffff)) ^ over ^ over << 2 ^ over << 3 ^ over << 5;
}

/* The same for the second LFSR. */
static uint32_t next_constant_1(uint32_t x)
{
    const uint32_t y = x ^ x << 1 ^ x << 4 ^ x << 6;
    const uint32_t over = y >> 16;

    return (y & UINT32_C(0xffff)) ^ over ^ over << 1 ^ over << 4 ^ over << 6;
}

/* Word i of 32 bytes. */
static uint32_t load(const uint8_t *bytes, uint8_t i)
{
    bytes += 2 * i;
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[16] << 16 |
           (uint32_t)bytes[17] << 24;
}

#endif
