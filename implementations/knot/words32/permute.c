/*
 * KNOT's permutations with rounds in straight code.
 *
 * References: "KNOT" (2019), section 2 (see knot.h).
 */
#include "inline.h"
#include "unroll.h"

#define KNOT_CALL ALWAYS_INLINE
#define KNOT_UNROLL UNROLL
#define KNOT_COPIED() ((void)0)
#define KNOT_MODULO(i) ((i) % KNOT_WORDS)
#include "permutation.h"

void knot_permute(knot_state *state, uint8_t rounds)
{
    uint8_t constant = 1;

    knot_order(state);
    for (; rounds != 0; rounds--) { /* gcc -Os emits more code for a loop that tests at its end */
        constant = knot_round(state, constant);
    }
    knot_order(state);
}
