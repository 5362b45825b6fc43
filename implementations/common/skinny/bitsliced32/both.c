/*
 * SKINNY-128-384+ on two blocks, bitsliced in 32-bit words.
 *
 * References: "The SKINNY Family" (2016), section 2 (see skinny128.h), names as there.
 */
#include "skinny128.h"

#include "bytes.h"
#include "slices.h"
#include "whole.h"

/* Encrypts a block in place with the whole schedule. */
NEVER_INLINE void encrypt(const skinny128_rows *key, uint8_t *block)
{
    uint32_t w0 = load32_le(block), w1 = load32_le(block + 4);
    uint32_t w2 = load32_le(block + 8), w3 = load32_le(block + 12);

    SLICE();
    for (const skinny128_rows *end = key + SKINNY128_ROUNDS; key != end; key++) {
        ROUND(key->row[0], key->row[1]);
    }
    UNSLICE();
    store32_le(block, w0);
    store32_le(block + 4, w1);
    store32_le(block + 8, w2);
    store32_le(block + 12, w3);
}

void skinny128_encrypt_both(uint8_t *a, uint8_t *b, const uint8_t *tk1, const uint8_t *tk2,
                            const uint8_t *tk3)
{
    skinny128_rows key[SKINNY128_ROUNDS];

    expand(key, tk1, tk2, tk3);
    encrypt(key, a);
    encrypt(key, b);
}
