/*
 * SKINNY-128 in eight slices of 16 bits.
 *
 * References: "The SKINNY Family" (2016), section 2 (see skinny128.h); same names.
 */
#include "skinny128.h"

#include "apply.h"
#include "inline.h"
#include "keep.h"
#include "round.h"
#include "slices.h"

/* The rounds on the slices in `block`: 8 bytes for rows 0 and 1, and 8 for rows 2 and 3. Adds `sum`
 * and, in even rounds, `tk1`. */
NEVER_INLINE void rounds(uint8_t *block, const uint8_t *sum, const uint8_t *tk1)
{
    LOAD_ALL();

    for (uint8_t i = 0; i < SKINNY128_ROUNDS / 2; i++) {
        const uint8_t *even = tk1 + (i & (SKINNY128_PERIOD - 1)) * 8u;

        KEEP_POINTER(sum);
        KEEP_POINTER(even);
        ROUND(EVEN);
        KEEP_POINTER(sum);
        ROUND(ODD);
        sum += 16;
    }
    STORE_ALL();
}

void skinny128_encrypt(const skinny128_schedule *s, const uint8_t *lower, uint8_t *block)
{
    apply(rounds, (const uint8_t *)s->sum, lower, block);
}
