/*
 * SKINNY-128-384+ with a table for the S-box on two blocks, in 32-bit words. Not in constant time
 * where memory is cached.
 *
 * References: "The SKINNY Family" (2016), section 2 (see skinny128.h); names as there.
 */
#include "skinny128.h"

#include "bytes.h"
#include "round.h"
#include "whole.h"

/* Encrypts a block in place with the whole schedule. */
NEVER_INLINE void encrypt(const skinny128_rows *key, uint8_t *block)
{
    uint32_t r0 = load32_le(block), r1 = load32_le(block + 4);
    uint32_t r2 = load32_le(block + 8), r3 = load32_le(block + 12);

    for (const skinny128_rows *end = key + SKINNY128_ROUNDS; key != end; key += 4) {
        ROUND(key[0].row[0], key[0].row[1]);
        ROUND(key[1].row[0], key[1].row[1]);
        ROUND(key[2].row[0], key[2].row[1]);
        ROUND(key[3].row[0], key[3].row[1]);
    }
    store32_le(block, r0);
    store32_le(block + 4, r1);
    store32_le(block + 8, r2);
    store32_le(block + 12, r3);
}

void skinny128_encrypt_both(uint8_t *a, uint8_t *b, const uint8_t *tk1, const uint8_t *tk2,
                            const uint8_t *tk3)
{
    skinny128_rows key[SKINNY128_ROUNDS];

    expand(key, tk1, tk2, tk3);
    encrypt(key, a);
    encrypt(key, b);
}
