/*
 * Layers of Saturnin that encryption and decryption share, in words of 32 bits, unrolled.
 *
 * References: A. Canteaut, S. Duval, G. Leurent, M. Naya-Plasencia, L. Perrin, T. Pornin, A.
 * Schrottenloher, "Saturnin" (submission to NIST's lightweight cryptography project, round 2,
 * 2019), section 2; same names.
 *
 * Words are as in ../layers.h.
 */
#ifndef PENNYWEIGHT_SATURNIN_LAYERS_H
#define PENNYWEIGHT_SATURNIN_LAYERS_H

#include <stdint.h>

#include "inline.h"
#include "rotate.h"

/* SR_slice: cells of 4 bits in B rotated by 1, in C by 2, in D by 3. */
ALWAYS_INLINE void rotate_slices(uint32_t x[8])
{
    for (uint8_t i = 0; i < 4; i++) {
        uint32_t y = x[i];

        x[i] = (y & UINT32_C(0x0000ffff)) | (y & UINT32_C(0x33330000)) << 2 |
               (y >> 2 & UINT32_C(0x33330000));
        y = x[4 + i];
        x[4 + i] = (y & UINT32_C(0x00007777)) << 1 | (y >> 3 & UINT32_C(0x00001111)) |
                   (y & UINT32_C(0x11110000)) << 3 | (y >> 1 & UINT32_C(0x77770000));
    }
}

/* Its inverse: B rotated by 3, C by 2, D by 1. */
ALWAYS_INLINE void rotate_slices_back(uint32_t x[8])
{
    for (uint8_t i = 0; i < 4; i++) {
        uint32_t y = x[i];

        x[i] = (y & UINT32_C(0x0000ffff)) | (y & UINT32_C(0x33330000)) << 2 |
               (y >> 2 & UINT32_C(0x33330000));
        y = x[4 + i];
        x[4 + i] = (y & UINT32_C(0x00001111)) << 3 | (y >> 1 & UINT32_C(0x00007777)) |
                   (y & UINT32_C(0x77770000)) << 1 | (y >> 3 & UINT32_C(0x11110000));
    }
}

/* SR_sheet: B rotated by 4, C by 8, D by 12. */
ALWAYS_INLINE void rotate_sheets(uint32_t x[8])
{
    for (uint8_t i = 0; i < 4; i++) {
        uint32_t y = x[i];

        x[i] = (y & UINT32_C(0x0000ffff)) | (y & UINT32_C(0x00ff0000)) << 8 |
               (y >> 8 & UINT32_C(0x00ff0000));
        y = x[4 + i];
        x[4 + i] = (y & UINT32_C(0x00000fff)) << 4 | (y >> 12 & UINT32_C(0x0000000f)) |
                   (y & UINT32_C(0x000f0000)) << 12 | (y >> 4 & UINT32_C(0x0fff0000));
    }
}

/* Its inverse: B rotated by 12, C by 8, D by 4. */
ALWAYS_INLINE void rotate_sheets_back(uint32_t x[8])
{
    for (uint8_t i = 0; i < 4; i++) {
        uint32_t y = x[i];

        x[i] = (y & UINT32_C(0x0000ffff)) | (y & UINT32_C(0x00ff0000)) << 8 |
               (y >> 8 & UINT32_C(0x00ff0000));
        y = x[4 + i];
        x[4 + i] = (y & UINT32_C(0x0000000f)) << 12 | (y >> 4 & UINT32_C(0x00000fff)) |
                   (y & UINT32_C(0x0fff0000)) << 4 | (y >> 12 & UINT32_C(0x000f0000));
    }
}

/* Word i of 32 bytes. */
ALWAYS_INLINE uint32_t load(const uint8_t *bytes, uint8_t i)
{
    bytes += 2 * i;
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[16] << 16 |
           (uint32_t)bytes[17] << 24;
}

#endif
