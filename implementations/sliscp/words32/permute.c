/*
 * sLiSCP-light-256 and ACE with a step in straight code.
 *
 * References: see permutation.h.
 */
#include "inline.h"
#include "unroll.h"

#define SLISCP_CALL ALWAYS_INLINE
#define SLISCP_UNROLL UNROLL
#include "permutation.h"
