/*
 * sLiSCP-light-256 and ACE in small code.
 *
 * References: see permutation.h.
 */
#include "inline.h"

#define SLISCP_CALL NEVER_INLINE
#define SLISCP_UNROLL
#include "permutation.h"
