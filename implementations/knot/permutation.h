/*
 * KNOT's permutations, for loops or straight code.
 *
 * References: "KNOT" (2019), section 2 (see knot.h).
 *
 * KNOT_UNROLL precedes loops over the words of a row, KNOT_CALL is ALWAYS_INLINE or NEVER_INLINE
 * for the rotation of a row. KNOT_COPIED() follows the copy of a word, KNOT_MODULO(i) is i modulo
 * KNOT_WORDS for i < 2 KNOT_WORDS.
 */
#ifndef PENNYWEIGHT_KNOT_PERMUTATION_H
#define PENNYWEIGHT_KNOT_PERMUTATION_H

#include "inline.h"
#include "knot.h"
#include "order.h"
#include "sbox.h"

/* By how many bits ShiftRow rotates rows 2 and 3, as words and bits; row 1 by one bit. */
enum {
    KNOT_BITS_2 = KNOT_WORDS == 4 ? 16 : 8,
    KNOT_ENTIRE_3 = KNOT_WORDS == 3 ? 1 : 0,
    KNOT_BITS_3 = KNOT_WORDS == 3 ? 23 : 25,
};

/* Rotates a row left by `entire` words and `bits` bits, 0 < bits < 32. */
KNOT_CALL void knot_rotate(uint32_t *row, uint8_t entire, uint8_t bits)
{
    uint32_t x[KNOT_WORDS];

    KNOT_UNROLL
    for (uint8_t i = 0; i < KNOT_WORDS; i++) {
        x[i] = row[i];
        KNOT_COPIED();
    }
    KNOT_UNROLL
    for (uint8_t i = 0; i < KNOT_WORDS; i++) {
        const uint32_t upper = x[KNOT_MODULO(i + KNOT_WORDS - entire)];
        const uint32_t lower = x[KNOT_MODULO(i + KNOT_WORDS - 1 - entire)];

        row[i] = upper << bits | lower >> (32 - bits);
    }
}

/* SubColumn on word `i` of all rows. */
ALWAYS_INLINE void knot_substitute(uint32_t rows[4][KNOT_WORDS], uint8_t i)
{
    KNOT_SBOX(uint32_t, rows[0][i], rows[1][i], rows[2][i], rows[3][i], rows[0][i], rows[1][i],
              rows[2][i], rows[3][i]);
}

/* Swaps the byte order where it differs from the state's. */
static inline void knot_order(knot_state *state)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    for (uint8_t i = 0; i < 4 * KNOT_WORDS; i++) {
        state->rows[i / KNOT_WORDS][i % KNOT_WORDS] =
            reverse_bytes32(state->rows[i / KNOT_WORDS][i % KNOT_WORDS]);
    }
#else
    (void)state;
#endif
}

/* One round. Returns the next round's constant. */
ALWAYS_INLINE uint8_t knot_round(knot_state *state, uint8_t constant)
{
    state->rows[0][0] ^= constant;
    constant = knot_next_constant(constant);
    KNOT_UNROLL
    for (uint8_t i = 0; i < KNOT_WORDS; i++) {
        knot_substitute(state->rows, i);
    }
    knot_rotate(state->rows[1], 0, 1);
    knot_rotate(state->rows[2], 0, KNOT_BITS_2);
    knot_rotate(state->rows[3], KNOT_ENTIRE_3, KNOT_BITS_3);
    return constant;
}

#endif
