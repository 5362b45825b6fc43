/*
 * AES-128 as COMET's block cipher: every block has its own key.
 *
 * References: FIPS 197 (2001, updated 2023).
 *
 * "aes.h" is the representation that the implementation chose.
 */
#include "cipher.h"

#include "aes.h"
#include "bytes.h"

void comet_encrypt(const uint8_t *key, uint8_t *block)
{
    aes_key schedule;
    uint32_t blocks[4 * AES_BLOCKS];

    aes_expand_key(&schedule, key);
    zero_bytes((uint8_t *)blocks, sizeof blocks);
    copy_bytes((uint8_t *)blocks, block, 16);
    aes_encrypt(&schedule, blocks);
    copy_bytes(block, (const uint8_t *)blocks, 16);
}
