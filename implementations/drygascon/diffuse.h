/*
 * The words of GASCON's state, c[0], c[1], ..., interleaved, and their diffusion.
 *
 * References: S. Riou, "DryGASCON" (submission to NIST's lightweight cryptography project, round 2,
 * 2019), section 2; same names.
 */
#ifndef PENNYWEIGHT_DRYGASCON_DIFFUSE_H
#define PENNYWEIGHT_DRYGASCON_DIFFUSE_H

#include <stdint.h>

#include "rotate.h"

enum { W = DRYGASCON_WORDS, MIDDLE = W / 2 };

/* x rotated right by a constant that may be 0. */
#define ROTATE(x, n) ((n) == 0 ? (x) : rotr32((x), (n) == 0 ? 1 : (n)))

/* The diffusion of word j: rotations by 2 a + 1 and by 2 b; a_1 is a + 1 mod 32. */
#define DIFFUSE(j, a, a_1, b)                                                                      \
    do {                                                                                           \
        const uint32_t even = c[2 * (j)], odd = c[2 * (j) + 1];                                    \
        c[2 * (j)] = even ^ ROTATE(odd, a) ^ ROTATE(even, b);                                      \
        c[2 * (j) + 1] = odd ^ ROTATE(even, a_1) ^ ROTATE(odd, b);                                 \
    } while (0)

#endif
