/*
 * KNOT's permutations in little code.
 *
 * References: "KNOT" (2019), section 2 (see knot.h).
 */
#include "bytes.h"
#include "inline.h"

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
