/*
 * Converts blocks to bit planes of 32-bit words, and back.
 *
 * References: none beyond aes_ct32.c, which describes the layout of the planes.
 */
#ifndef PENNYWEIGHT_AES_CT32_PLANES_H
#define PENNYWEIGHT_AES_CT32_PLANES_H

#include <stdint.h>

#include "inline.h"

/* Exchanges the bits of `a` selected by mask << n with those of `b` selected by `mask`. */
ALWAYS_INLINE void exchange(uint32_t *a, uint32_t *b, uint32_t mask, unsigned n)
{
    const uint32_t t = (*a >> n ^ *b) & mask;
    *a ^= t << n;
    *b ^= t;
}

/* Transposes the 8 by 8 bits that the words q[0..7] hold in each of their bytes. */
static void transpose(uint32_t q[8])
{
    for (unsigned i = 0; i < 8; i += 2) {
        exchange(&q[i], &q[i + 1], 0x55555555, 1);
    }
    for (unsigned i = 0; i < 2; i++) {
        exchange(&q[i], &q[i + 2], 0x33333333, 2);
        exchange(&q[i + 4], &q[i + 6], 0x33333333, 2);
    }
    for (unsigned i = 0; i < 4; i++) {
        exchange(&q[i], &q[i + 4], 0x0f0f0f0f, 4);
    }
}

#endif
