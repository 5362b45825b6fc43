/*
 * SKINNY-128-384+ with a table for the S-box on two blocks, in 32-bit words. Not in constant time
 * where memory is cached.
 *
 * References: "The SKINNY Family" (2016), section 2 (see skinny128.h); same names.
 */
#include "skinny128.h"

#include "block.h"
#include "round.h"
#include "whole.h"

/* Encrypts a block in place with the whole schedule. */
NEVER_INLINE void encrypt(const skinny128_rows *key, uint8_t *block)
{
    const skinny128_state before = load_block(block);
    uint32_t r0 = before.row[0], r1 = before.row[1];
    uint32_t r2 = before.row[2], r3 = before.row[3];

    for (const skinny128_rows *end = key + SKINNY128_ROUNDS; key != end; key += 4) {
        ROUND(key[0].row[0], key[0].row[1]);
        ROUND(key[1].row[0], key[1].row[1]);
        ROUND(key[2].row[0], key[2].row[1]);
        ROUND(key[3].row[0], key[3].row[1]);
    }
    store_block(block, (skinny128_state){{r0, r1, r2, r3}});
}

void skinny128_encrypt_both(uint8_t *a, uint8_t *b, const uint8_t *tk1, const uint8_t *tk2,
                            const uint8_t *tk3)
{
    skinny128_rows key[SKINNY128_ROUNDS];

    expand_whole(key, tk1, tk2, tk3);
    encrypt(key, a);
    encrypt(key, b);
}
