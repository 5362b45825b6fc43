/*
 * SKINNY-128, bitsliced in 32-bit words.
 *
 * References: "The SKINNY Family" (2016), section 2 (see skinny128.h); same names.
 */
#include "skinny128.h"

#if !SKINNY128_NATIVE

#include "block.h"
#include "slices.h"

void skinny128_encrypt(const skinny128_schedule *s, const uint8_t *lower, uint8_t *block)
{
    skinny128_rows tk1[SKINNY128_PERIOD];
    const skinny128_state before = load_block(block);
    uint32_t w0 = before.row[0], w1 = before.row[1];
    uint32_t w2 = before.row[2], w3 = before.row[3];

    skinny128_expand_tk1(tk1, lower);
    SLICE();
    for (unsigned i = 0; i < SKINNY128_ROUNDS; i += 2) {
        const skinny128_rows *even = &tk1[i / 2 % SKINNY128_PERIOD], *sum = &s->sum[i];

        ROUND(sum[0].row[0] ^ even->row[0], sum[0].row[1] ^ even->row[1]);
        ROUND(sum[1].row[0], sum[1].row[1]);
    }
    UNSLICE();
    store_block(block, (skinny128_state){{w0, w1, w2, w3}});
}

#endif
