/*
 * Gimli in little code.
 *
 * References: "Gimli" (2019), section 2.2 (see gimli.h).
 */
#include "inline.h"

#define GIMLI_CALL NEVER_INLINE
#include "permutation.h"
