/*
 * SKINNY-128 with a table for the S-box, in 32-bit words. Not in constant time where memory is
 * cached.
 *
 * References: "The SKINNY Family" (2016), section 2 (see skinny128.h); same names.
 */
#include "skinny128.h"

#include "block.h"
#include "round.h"

void skinny128_encrypt(const skinny128_schedule *s, const uint8_t *lower, uint8_t *block)
{
    skinny128_rows tk1[SKINNY128_PERIOD];
    const skinny128_state before = load_block(block);
    uint32_t r0 = before.row[0], r1 = before.row[1];
    uint32_t r2 = before.row[2], r3 = before.row[3];

    skinny128_expand_tk1(tk1, lower);
    for (unsigned i = 0; i < SKINNY128_ROUNDS; i += 2) {
        const skinny128_rows *even = &tk1[i / 2 % SKINNY128_PERIOD], *sum = &s->sum[i];

        ROUND(sum[0].row[0] ^ even->row[0], sum[0].row[1] ^ even->row[1]);
        ROUND(sum[1].row[0], sum[1].row[1]);
    }
    store_block(block, (skinny128_state){{r0, r1, r2, r3}});
}
