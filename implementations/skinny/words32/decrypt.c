/*
 * The inverse of SKINNY-128, a row at a time in words of 32 bits.
 *
 * References: "The SKINNY Family" (2016), section 2 (see skinny128.h); same names.
 */
#include "skinny128.h"

#include "back.h"
#include "bytes.h"

void skinny128_decrypt(const skinny128_schedule *s, const uint8_t *lower, uint8_t *block)
{
    skinny128_rows tk1[SKINNY128_PERIOD];
    uint32_t x[4];

    skinny128_expand_tk1(tk1, lower);
    for (uint8_t i = 0; i < 4; i++) {
        x[i] = load32_le(block + 4 * i);
    }
    for (unsigned i = SKINNY128_ROUNDS; i-- != 0;) {
        uint32_t first = s->sum[i].row[0], second = s->sum[i].row[1];

        if ((i & 1) == 0) {
            first ^= tk1[i / 2 % SKINNY128_PERIOD].row[0];
            second ^= tk1[i / 2 % SKINNY128_PERIOD].row[1];
        }
        skinny128_round_back(x, first, second);
    }
    for (uint8_t i = 0; i < 4; i++) {
        store32_le(block + 4 * i, x[i]);
    }
}
