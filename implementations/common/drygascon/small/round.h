/*
 * GASCON's round in little code.
 *
 * References: S. Riou, "DryGASCON" (submission to NIST's lightweight cryptography project, round 2,
 * 2019), section 2; names as there.
 */
#ifndef PENNYWEIGHT_DRYGASCON_ROUND_H
#define PENNYWEIGHT_DRYGASCON_ROUND_H

#include <stdint.h>

#include "diffuse.h"

enum { W = DRYGASCON_WORDS, MIDDLE = W / 2 };

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

/* CoreRound. */
static void core_round(uint32_t *c, uint8_t round)
{
    c[2 * MIDDLE] ^= (uint8_t)((15U - round) << 4 | round);
    substitute(c);
    substitute(c + 1);
    DIFFUSE(0, 9, 10, 14);
    DIFFUSE(1, 30, 31, 19);
    DIFFUSE(2, 0, 1, 3);
    DIFFUSE(3, 8, 9, 5);
    DIFFUSE(4, 3, 4, 20);
#if DRYGASCON_WORDS == 9
    DIFFUSE(5, 15, 16, 13);
    DIFFUSE(6, 26, 27, 29);
    DIFFUSE(7, 4, 5, 23);
    DIFFUSE(8, 21, 22, 25);
#endif
}

#endif
