/*
 * The two halves of Grain-128AEADv2's pre-output, in 32-bit words.
 *
 * References: "Grain-128AEADv2" (2021), section 2.3 (see grain.h).
 */
#include "state.h"

/* `x` with bits 0, 2, 4, ... in the lower half and bits 1, 3, 5, ... in the upper. */
static uint32_t separated(uint32_t x)
{
    uint32_t t;

    t = (x ^ x >> 1) & UINT32_C(0x22222222);
    x ^= t ^ t << 1;
    t = (x ^ x >> 2) & UINT32_C(0x0c0c0c0c);
    x ^= t ^ t << 2;
    t = (x ^ x >> 4) & UINT32_C(0x00f000f0);
    x ^= t ^ t << 4;
    t = (x ^ x >> 8) & UINT32_C(0x0000ff00);
    x ^= t ^ t << 8;
    return x;
}

void grain_separate(const uint32_t *y, uint32_t *z, uint32_t *r)
{
    const uint32_t first = separated(y[0]), second = separated(y[1]);

    *z = (first & 0xffff) | second << 16;
    *r = first >> 16 | (second & UINT32_C(0xffff0000));
}
