/*
 * GASCON's S-box for DryGASCON128, written out. SUBSTITUTE_CALL, ALWAYS_INLINE or NEVER_INLINE,
 * defines whether it is inlined or called.
 *
 * References: S. Riou, "DryGASCON" (submission to NIST's lightweight cryptography project, round 2,
 * 2019), section 2; same names.
 */
#ifndef PENNYWEIGHT_DRYGASCON_SUBSTITUTE5_H
#define PENNYWEIGHT_DRYGASCON_SUBSTITUTE5_H

#include <stdint.h>

#include "inline.h"

/* The S-box of 5 bits on every second word: those of even or of odd bits. */
SUBSTITUTE_CALL void substitute(uint32_t *c)
{
    uint32_t x0 = c[0], x1 = c[2], x2 = c[4], x3 = c[6], x4 = c[8];
    uint32_t t0, t1;

    x0 ^= x4;
    x4 ^= x3;
    x2 ^= x1;
    t0 = ~x0 & x1;
    t1 = ~x4 & x0;
    x0 ^= ~x1 & x2;
    x1 ^= ~x2 & x3;
    x2 ^= ~x3 & x4;
    x3 ^= t1;
    x4 ^= t0;
    c[2] = x1 ^ x0;
    c[6] = x3 ^ x2;
    c[0] = x0 ^ x4;
    c[4] = ~x2;
    c[8] = x4;
}

#endif
