/*
 * Spongent-pi[160] and Spongent-pi[176] on units that hold a byte of the state of one block, or of
 * several, lane by lane.
 *
 * References: T. Beyne, Y. L. Chen, C. Dobraunig, B. Mennink, "Elephant v2" (2021), section 2;
 * A. Bogdanov et al., "SPONGENT: A Lightweight Hash Function" (CHES 2011), section 2.
 *
 * pLayer moves bit 4 i + k of the state to bit i + k b/4, for b bits. So bits k of all
 * nibbles, the inputs of a sliced S-box, are then adjacent. The layer is the transposition of
 * four bytes (eight nibbles) to four slices of eight bits, followed by a permutation of those
 * bytes.
 */
#ifndef PENNYWEIGHT_SPONGENT_LANES_H
#define PENNYWEIGHT_SPONGENT_LANES_H

#include "inline.h"
#include "keep.h"
#include "lane_unit.h"
#include "sbox.h"
#include "spongent.h"

/* The slices, after the S-box, of four bytes of the state: bit 2 j + h of y[k] is bit k of nibble h
 * of byte j. With a bit's number written as the digits of its byte (j1 j0), its nibble (h) and its
 * position in it (k1 k0), each pair of exchanges swaps one of the byte's digits with one of the
 * others, until k is the number of the byte. */
ALWAYS_INLINE void spongent_slices(lane_unit *y, lane_unit x0, lane_unit x1, lane_unit x2,
                                   lane_unit x3)
{
    LANES_EXCHANGE(x0, x2, 0x0f, 4);
    LANES_EXCHANGE(x1, x3, 0x0f, 4);
    LANES_EXCHANGE(x0, x1, 0x33, 2);
    LANES_EXCHANGE(x2, x3, 0x33, 2);
    LANES_EXCHANGE(x0, x2, 0x55, 1);
    LANES_EXCHANGE(x1, x3, 0x55, 1);
    SPONGENT_SBOX(lane_unit, y[0], y[1], y[2], y[3], x0, x2, x1, x3);
}

#if SPONGENT_BYTES == 20

/* sBoxLayer and pLayer, from `x` to `y`: slices of 40 bits follow each other. */
SPONGENT_CALL void spongent_layers(lane_unit *y, const lane_unit *x)
{
    SPONGENT_UNROLL
    for (uint8_t i = 0; i < 5; i++) {
        lane_unit s[4];
        const lane_unit x0 = *x++, x1 = *x++, x2 = *x++, x3 = *x++;

        spongent_slices(s, x0, x1, x2, x3);
        KEEP_POINTER(y);
        y[0] = s[0];
        y[5] = s[1];
        y[10] = s[2];
        y[15] = s[3];
        y++;
    }
}

#else

/* sBoxLayer and pLayer, from `x` to `y`: slices of 44 bits follow each other, so odd-numbered
 * slices begin with the upper nibble of a byte. */
SPONGENT_CALL void spongent_layers(lane_unit *y, const lane_unit *x)
{
    const lane_unit low = LANES_OF(0x0f);
    lane_unit s[4], end[4];
    lane_unit carry1, carry3;

    spongent_slices(end, x[20], x[21], 0, 0);
    carry1 = end[0] & low;
    carry3 = end[2] & low;
    SPONGENT_UNROLL
    for (uint8_t i = 0; i < 5; i++) {
        const lane_unit x0 = *x++, x1 = *x++, x2 = *x++, x3 = *x++;

        spongent_slices(s, x0, x1, x2, x3);
        KEEP_POINTER(y);
        y[0] = s[0];
        y[11] = s[2];
        y[5] = LANES_JOIN(carry1, s[1]);
        y[16] = LANES_JOIN(carry3, s[3]);
        carry1 = LANES_UPPER(s[1]);
        carry3 = LANES_UPPER(s[3]);
        y++;
    }
    y[5] = LANES_JOIN(carry1, end[1]);
    y[16] = LANES_JOIN(carry3, end[3]);
}

#endif

/* All rounds. */
ALWAYS_INLINE void spongent_permute_lanes(lane_unit *x)
{
    spongent_counter counter = SPONGENT_COUNTER;
    lane_unit y[SPONGENT_BYTES];

    for (uint8_t i = 0; i < SPONGENT_ROUNDS / 2; i++) {
        x[0] = (lane_unit)(x[0] ^ LANES_OF(counter.low));
        x[SPONGENT_BYTES - 1] = (lane_unit)(x[SPONGENT_BYTES - 1] ^ LANES_OF(counter.high));
        counter = spongent_next(counter);
        spongent_layers(y, x);
        y[0] = (lane_unit)(y[0] ^ LANES_OF(counter.low));
        y[SPONGENT_BYTES - 1] = (lane_unit)(y[SPONGENT_BYTES - 1] ^ LANES_OF(counter.high));
        counter = spongent_next(counter);
        spongent_layers(x, y);
    }
}

#endif
