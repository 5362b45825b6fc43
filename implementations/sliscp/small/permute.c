/*
 * sLiSCP-light-256 and ACE, optimised for code size.
 *
 * References: see permutation.h.
 */
#include "inline.h"

#define SLISCP_CALL NEVER_INLINE
#define SLISCP_UNROLL
#include "permutation.h"
