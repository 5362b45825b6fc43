/*
 * Spongent-pi by bytes, optimised for code size.
 *
 * References: "Elephant v2" (2021), section 2 (see spongent.h).
 */
#include "spongent.h"

#define SPONGENT_CALL NEVER_INLINE
#define SPONGENT_UNROLL
#include "lanes.h"

void spongent_permute(uint8_t *state)
{
    spongent_permute_lanes(state);
}
