/*
 * TweAES-128 as ESTATE's tweakable block cipher, and TweAES-128-6 if "api.h" defines
 * AES_WHOLE_ROUNDS.
 *
 * References: see cipher.h; "aes.h" is the representation that the implementation chose, "tweak.h"
 * its tweak: the tweak's code word is added after rounds 2, 4, 6 and 8.
 */
#include "cipher.h"

#include "api.h"
#include "bytes.h"
#include "tweak.h"
#include "tweak_code.h"

void estate_set_key(estate_key *key, const uint8_t *bytes)
{
    aes_expand_key(&key->aes, bytes);
    key->code = 0;
}

/* Encrypts in `rounds` rounds, 6 or 10. */
static void encrypt(estate_key *key, uint8_t *block, uint8_t tweak, uint8_t rounds)
{
    const uint8_t code = tweak_code(tweak);
    uint32_t blocks[4 * AES_BLOCKS];

    if (code != key->code) {
        for (uint8_t n = 2; n <= 8; n = (uint8_t)(n + 2)) {
            aes_add_tweak(&key->aes, n, code ^ key->code);
        }
        key->code = code;
    }
    zero_bytes((uint8_t *)blocks, sizeof blocks);
    copy_bytes((uint8_t *)blocks, block, 16);
#if defined(AES_WHOLE_ROUNDS)
    if (rounds != AES_NR) {
        aes_encrypt_whole(&key->aes, blocks, rounds);
    } else
#endif
    {
        (void)rounds;
        aes_encrypt(&key->aes, blocks);
    }
    copy_bytes(block, (const uint8_t *)blocks, 16);
}

void estate_encrypt(estate_key *key, uint8_t *block, uint8_t tweak)
{
    encrypt(key, block, tweak, AES_NR);
}

#if defined(AES_WHOLE_ROUNDS)
void estate_absorb(estate_key *key, uint8_t *block, uint8_t tweak)
{
    encrypt(key, block, tweak, 6);
}
#endif
