/*
 * SKINNY-128-384+ on two blocks, bitsliced in 32-bit words.
 *
 * References: "The SKINNY Family" (2016), section 2 (see skinny128.h); same names.
 */
#include "skinny128.h"

#if !SKINNY128_NATIVE_BOTH

#include "block.h"
#include "slices.h"
#include "whole.h"

/* Encrypts a block in place with the whole schedule. */
NEVER_INLINE void encrypt(const skinny128_rows *key, uint8_t *block)
{
    const skinny128_state before = load_block(block);
    uint32_t w0 = before.row[0], w1 = before.row[1];
    uint32_t w2 = before.row[2], w3 = before.row[3];

    SLICE();
    for (const skinny128_rows *end = key + SKINNY128_ROUNDS; key != end; key++) {
        ROUND(key->row[0], key->row[1]);
    }
    UNSLICE();
    store_block(block, (skinny128_state){{w0, w1, w2, w3}});
}

void skinny128_encrypt_both(uint8_t *a, uint8_t *b, const uint8_t *tk1, const uint8_t *tk2,
                            const uint8_t *tk3)
{
    skinny128_rows key[SKINNY128_ROUNDS];

    expand_whole(key, tk1, tk2, tk3);
    encrypt(key, a);
    encrypt(key, b);
}

#endif
