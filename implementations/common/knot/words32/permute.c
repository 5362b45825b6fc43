/*
 * KNOT's permutations with rounds in straight code.
 *
 * References: "KNOT" (2019), section 2 (see knot.h).
 */
#include "inline.h"
#include "unroll.h"

#define KNOT_CALL ALWAYS_INLINE
#define KNOT_UNROLL UNROLL
#include "permutation.h"
