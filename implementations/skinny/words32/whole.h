/*
 * SKINNY-128-384+'s complete tweakey schedule, in 32-bit words.
 *
 * References: "The SKINNY Family" (2016), section 2 (see skinny128.h); same names.
 */
#ifndef PENNYWEIGHT_SKINNY_WHOLE_H
#define PENNYWEIGHT_SKINNY_WHOLE_H

#include <stdint.h>

#include "cycle.h"
#include "inline.h"

/* Writes the round tweakeys of all 40 rounds. */
NEVER_INLINE void expand_whole(skinny128_rows *key, const uint8_t *key1, const uint8_t *key2,
                               const uint8_t *key3)
{
    expand(key, key1, key2, key3, 1);
}

#endif
