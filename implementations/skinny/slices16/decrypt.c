/*
 * The inverse of SKINNY-128 in eight slices of 16 bits.
 *
 * References: "The SKINNY Family" (2016), section 2 (see skinny128.h); same names.
 */
#include "skinny128.h"

#include "apply.h"
#include "inline.h"
#include "keep.h"
#include "round_back.h"
#include "slices.h"

/* The inverse rounds on the slices in `block`: 8 bytes for rows 0 and 1, and 8 for rows 2 and 3.
 * Subtracts the round tweakeys that end at `sum` and, in even rounds, at `tk1`. */
NEVER_INLINE void unrounds(uint8_t *block, const uint8_t *sum, const uint8_t *tk1)
{
    LOAD_ALL();

    for (uint8_t i = SKINNY128_ROUNDS / 2; i-- != 0;) {
        const uint8_t *even = tk1 + (i & (SKINNY128_PERIOD - 1)) * 8u;

        sum -= 16;
        KEEP_POINTER(sum);
        KEEP_POINTER(even);
        UNROUND(ODD);
        KEEP_POINTER(sum);
        UNROUND(EVEN);
    }
    STORE_ALL();
}

void skinny128_decrypt(const skinny128_schedule *s, const uint8_t *lower, uint8_t *block)
{
    apply(unrounds, (const uint8_t *)(s->sum + SKINNY128_ROUNDS), lower, block);
}
