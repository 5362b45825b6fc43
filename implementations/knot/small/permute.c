/*
 * KNOT's permutations optimised for code size: by bytes where registers have 8 or 16 bits, or where
 * KNOT_BY_BYTES is defined as 1, else by words of 32 bits.
 *
 * References: "KNOT" (2019), section 2 (see knot.h).
 */
#include "inline.h"

#ifndef KNOT_BY_BYTES
#if defined(__AVR__) || defined(__MSP430__)
#define KNOT_BY_BYTES 1
#else
#define KNOT_BY_BYTES 0
#endif
#endif

#if KNOT_BY_BYTES

#include "keep.h"
#include "knot.h"
#include "sbox.h"
#include "unroll.h"

#define KNOT_LANE_BITS 8
#include "lane.h"

/* Bytes of a row, and by how many ShiftRow moves rows 2 and 3 upwards. Row 3 moves by a bit more,
 * or by a bit less than one byte more; row 1 by a bit. */
enum {
    BYTES = 4 * KNOT_WORDS,
    MOVE_2 = KNOT_WORDS == 4 ? 2 : 1,
    MOVE_3 = KNOT_WORDS == 3 ? 6 : 3,
};

/* A round, from one copy of the state to another. */
ALWAYS_INLINE void one_round(uint8_t *to, const uint8_t *from, uint8_t constant)
{
    uint8_t *row = to;
    uint8_t carry1 = 0, carry3 = 0, left = BYTES;

    ROLL do
    {
        KEEP_POINTER(from);
        const uint8_t a0 = *from ^ constant;
        const uint8_t a1 = from[BYTES];
        const uint8_t a2 = from[2 * BYTES];
        const uint8_t a3 = from[3 * BYTES];
        uint8_t b0, b1, b2, b3;

        KNOT_SBOX(uint8_t, b0, b1, b2, b3, a0, a1, a2, a3);
        from++;
        KEEP_POINTER(from);
        constant = 0;
        row[0] = b0;
        row[BYTES] = knot_move_up(b1, &carry1);
        /* Wraps around at the end of a row. */
        if (left > MOVE_2) {
            row[2 * BYTES + MOVE_2] = b2;
        } else {
            row[BYTES + MOVE_2] = b2;
        }
#if KNOT_WORDS == 3
        const uint8_t moved = knot_move_down(carry3, b3);

        carry3 = b3;
#else
        const uint8_t moved = knot_move_up(b3, &carry3);
#endif
        if (left > MOVE_3) {
            row[3 * BYTES + MOVE_3] = moved;
        } else {
            row[2 * BYTES + MOVE_3] = moved;
        }
        row++;
        KEEP_POINTER(row);
    }
    while (--left != 0)
        ;
    to[BYTES] |= carry1;
    to[3 * BYTES + MOVE_3] |= carry3 >> (KNOT_WORDS == 3);
}

/* The rounds, from one copy to the other in turn; the last ends in the first copy. */
NEVER_INLINE void all_rounds(uint8_t *from, uint8_t *to, uint8_t rounds)
{
    uint8_t constant = 1;

    do {
        uint8_t *const other = from;

        one_round(to, from, constant);
        constant = knot_next_lane(constant);
        from = to;
        to = other;
    } while (--rounds != 0);
}

void knot_permute(knot_state *state, uint8_t rounds)
{
    knot_state other;

    all_rounds(state->bytes, other.bytes, rounds);
}

#else

#include "bytes.h"

#define KNOT_CALL NEVER_INLINE
#define KNOT_UNROLL
#define KNOT_COPIED() NO_LIBRARY_CALL()
/* Without a division, which is a function of the library. */
#define KNOT_MODULO(i) ((i) < KNOT_WORDS ? (i) : (i) - KNOT_WORDS)
#include "permutation.h"

void knot_permute(knot_state *state, uint8_t rounds)
{
    uint8_t constant = 1;

    knot_order(state);
    do {
        constant = knot_round(state, constant);
    } while (--rounds != 0);
    knot_order(state);
}

#endif
