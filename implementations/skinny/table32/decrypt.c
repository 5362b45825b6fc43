/*
 * The inverse of SKINNY-128 with a table for the inverse of the S-box, in 32-bit words. Not in
 * constant time where memory is cached.
 *
 * References: "The SKINNY Family" (2016), section 2 (see skinny128.h); same names.
 */
#include "skinny128.h"

#include "block.h"
#include "flash.h"
#include "inline.h"
#include "inverse_sbox.h"

static uint8_t inverse[256] IN_RAM = {SKINNY128_INVERSE_SBOX};

/* The inverses of ShiftRows on row `i` and of SubCells, of a sum from which `taken` must still be
 * subtracted. */
ALWAYS_INLINE uint32_t unshift_unsub(uint32_t x, unsigned i, uint32_t taken)
{
    if (i != 0) {
        x = x >> 8 * i | x << (32 - 8 * i);
    }
    x ^= taken;
    return inverse[x & 0xff] | (uint32_t)inverse[x >> 8 & 0xff] << 8 |
           (uint32_t)inverse[x >> 16 & 0xff] << 16 | (uint32_t)inverse[x >> 24] << 24;
}

/* An inverse round on `x`; `first` and `second` are the round tweakey with the constants of its
 * rows. */
ALWAYS_INLINE skinny128_state unround(skinny128_state x, uint32_t first, uint32_t second)
{
    const uint32_t third = x.row[1] ^ x.row[3];

    return (skinny128_state){{
        unshift_unsub(x.row[1], 0, first),
        unshift_unsub(x.row[2] ^ third, 1, second),
        unshift_unsub(third, 2, 2),
        unshift_unsub(x.row[0] ^ x.row[3], 3, 0),
    }};
}

void skinny128_decrypt(const skinny128_schedule *s, const uint8_t *lower, uint8_t *block)
{
    skinny128_rows tk1[SKINNY128_PERIOD];
    skinny128_state x = load_block(block);

    skinny128_expand_tk1(tk1, lower);
    for (unsigned i = SKINNY128_ROUNDS; i != 0;) {
        const skinny128_rows *even, *sum;

        i -= 2;
        even = &tk1[i / 2 % SKINNY128_PERIOD];
        sum = &s->sum[i];
        x = unround(x, sum[1].row[0], sum[1].row[1]);
        x = unround(x, sum[0].row[0] ^ even->row[0], sum[0].row[1] ^ even->row[1]);
    }
    store_block(block, x);
}
