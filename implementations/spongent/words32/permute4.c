/*
 * Spongent-pi of four states in parallel.
 *
 * References: "Elephant v2" (2021), section 2 (see spongent.h).
 */
#include "spongent.h"

#define SPONGENT_CALL ALWAYS_INLINE
#define SPONGENT_UNROLL
#include "lanes.h"

void spongent_permute4(uint32_t *states)
{
    spongent_permute_lanes(states);
}
