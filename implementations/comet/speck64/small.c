/*
 * SPECK-64/128 optimised for code size, with its key schedule on the fly.
 *
 * References: R. Beaulieu, D. Shors, J. Smith, S. Treatman-Clark, B. Weeks, L. Wingers, "The Simon
 * and Speck Families of Lightweight Block Ciphers" (2013), section 4; same names.
 */
#include "cipher.h"

#include "bytes.h"
#include "rotate.h"

void comet_encrypt(const uint8_t *key, uint8_t *block)
{
    uint32_t y = load32_le(block), x = load32_le(block + 4);
    uint32_t k = load32_le(key), l0 = load32_le(key + 4);
    uint32_t l1 = load32_le(key + 8), l2 = load32_le(key + 12);

    for (uint8_t i = 0; i < 27; i++) {
        const uint32_t l = (rotr32(l0, 8) + k) ^ i;

        x = (rotr32(x, 8) + y) ^ k;
        y = rotl32(y, 3) ^ x;
        k = rotl32(k, 3) ^ l;
        l0 = l1;
        l1 = l2;
        l2 = l;
    }
    store32_le(block, y);
    store32_le(block + 4, x);
}
