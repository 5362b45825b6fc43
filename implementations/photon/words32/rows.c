/*
 * PHOTON-256: a row of cells to a row of slices and back, in 32-bit words.
 *
 * References: "PHOTON-Beetle" (2021), chapter 2 (see photon256.h).
 *
 * In a row of cells, bit p of cell j is bit 4 j + p; in a row of slices, it is bit 8 p + j. Each
 * step exchanges two of the five bits of that number.
 */
#include "photon256.h"

/* Exchanges the bits of `x` under `mask` with those `shift` places higher. */
#define EXCHANGE(x, shift, mask)                                                                   \
    do {                                                                                           \
        const uint32_t t = ((x) >> (shift) ^ (x)) & (mask);                                        \
        (x) ^= t ^ t << (shift);                                                                   \
    } while (0)

uint32_t photon256_to_row(uint32_t x)
{
    EXCHANGE(x, 1, UINT32_C(0x22222222));
    EXCHANGE(x, 3, UINT32_C(0x0a0a0a0a));
    EXCHANGE(x, 6, UINT32_C(0x00cc00cc));
    EXCHANGE(x, 12, UINT32_C(0x0000f0f0));
    return x;
}

uint32_t photon256_from_row(uint32_t x)
{
    EXCHANGE(x, 12, UINT32_C(0x0000f0f0));
    EXCHANGE(x, 6, UINT32_C(0x00cc00cc));
    EXCHANGE(x, 3, UINT32_C(0x0a0a0a0a));
    EXCHANGE(x, 1, UINT32_C(0x22222222));
    return x;
}
