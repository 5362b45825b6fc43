/*
 * Gimli with pairs of rounds in straight code.
 *
 * References: "Gimli" (2019), section 2.2 (see gimli.h).
 */
#include "inline.h"

#define GIMLI_CALL ALWAYS_INLINE
#include "permutation.h"
