/*
 * Keccak-p[200, n] in words that hold four copies of a lane.
 *
 * References: FIPS 202 (2015), section 3.3.
 */
#ifndef PENNYWEIGHT_KECCAK_COPIES200_H
#define PENNYWEIGHT_KECCAK_COPIES200_H

#define KECCAK_LANE_BITS 8
#include "lanes/copies32.h"

#include "constants.h"
#include "keccak200.h"
#include "keep.h"
#include "round.h"

#define COPIES_OF(c) ((c) * UINT32_C(0x01010101))

void keccak200_permute(uint8_t *state, uint8_t rounds)
{
    static const uint8_t constants[KECCAK200_ROUNDS] = {KECCAK200_CONSTANTS};
    uint32_t lanes[2][KECCAK200_BYTES];
    uint32_t *a = lanes[0], *e = lanes[1];
    const uint32_t *result = a;

    for (uint8_t i = 0; i < KECCAK200_BYTES; i++) {
        a[i] = COPIES_OF(state[i]);
    }
    for (uint8_t i = (uint8_t)(KECCAK200_ROUNDS - rounds); i < KECCAK200_ROUNDS; i++) {
        KEEP_POINTER(a);
        keccak_round(e, a);
        e[0] ^= COPIES_OF(constants[i]);
        i++;
        if (i == KECCAK200_ROUNDS) {
            result = e;
            break;
        }
        KEEP_POINTER(e);
        keccak_round(a, e);
        a[0] ^= COPIES_OF(constants[i]);
    }
    for (uint8_t i = 0; i < KECCAK200_BYTES; i++) {
        state[i] = (uint8_t)result[i];
    }
}

#endif
