/*
 * Gimli, optimised for code size.
 *
 * References: "Gimli" (2019), sections 2.5 to 2.9 (see gimli.h).
 */
#include "inline.h"

#define GIMLI_CALL NEVER_INLINE
#include "permutation.h"
