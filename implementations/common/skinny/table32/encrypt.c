/*
 * SKINNY-128 with a table for the S-box, in 32-bit words. Not in constant time where memory is
 * cached.
 *
 * References: "The SKINNY Family" (2016), section 2 (see skinny128.h); names as there.
 */
#include "skinny128.h"

#include "bytes.h"
#include "round.h"

void skinny128_encrypt(const skinny128_schedule *s, const uint8_t *lower, uint8_t *block)
{
    skinny128_rows tk1[SKINNY128_PERIOD];
    uint32_t r0 = load32_le(block), r1 = load32_le(block + 4);
    uint32_t r2 = load32_le(block + 8), r3 = load32_le(block + 12);

    skinny128_expand_tk1(tk1, lower);
    for (unsigned i = 0; i < SKINNY128_ROUNDS; i += 2) {
        const skinny128_rows *even = &tk1[i / 2 % SKINNY128_PERIOD], *sum = &s->sum[i];

        ROUND(sum[0].row[0] ^ even->row[0], sum[0].row[1] ^ even->row[1]);
        ROUND(sum[1].row[0], sum[1].row[1]);
    }
    store32_le(block, r0);
    store32_le(block + 4, r1);
    store32_le(block + 8, r2);
    store32_le(block + 12, r3);
}
