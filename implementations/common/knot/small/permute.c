/*
 * KNOT's permutations in little code.
 *
 * References: "KNOT" (2019), section 2 (see knot.h).
 */
#include "inline.h"

#define KNOT_CALL NEVER_INLINE
#define KNOT_UNROLL
#include "permutation.h"
