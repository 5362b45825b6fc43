/*
 * GASCON's S-box optimised for code size: five words unrolled once, nine in loops.
 *
 * References: S. Riou, "DryGASCON" (submission to NIST's lightweight cryptography project, round 2,
 * 2019), section 2; same names.
 */
#ifndef PENNYWEIGHT_DRYGASCON_SUBSTITUTE_H
#define PENNYWEIGHT_DRYGASCON_SUBSTITUTE_H

#include "variant.h"

#if DRYGASCON_WORDS == 5

#include "inline.h"

#define SUBSTITUTE_CALL NEVER_INLINE
#include "substitute5.h"

#else

#include <stdint.h>

#include "diffuse.h"

/* The S-box of W bits on every second word: those of even or of odd bits. */
static void substitute(uint32_t *c)
{
    uint32_t first, t[W];

    for (uint8_t i = 0; i <= MIDDLE; i++) {
        c[4 * i] ^= c[i == 0 ? 2 * (W - 1) : 4 * i - 2];
    }
    for (uint8_t i = 0; i < W; i++) {
        t[i] = ~c[2 * i] & c[i == W - 1 ? 0 : 2 * i + 2];
    }
    first = t[0];
    for (uint8_t i = 0; i < W; i++) {
        c[2 * i] ^= i == W - 1 ? first : t[i + 1];
    }
    for (uint8_t i = 0; i <= MIDDLE; i++) {
        c[i == MIDDLE ? 0 : 4 * i + 2] ^= c[4 * i];
    }
    c[2 * MIDDLE] = ~c[2 * MIDDLE];
}

#endif
#endif
