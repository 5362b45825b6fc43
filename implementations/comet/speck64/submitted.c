/*
 * SPECK-64/128 as in COMET's submitted reference code, which drops a carry.
 *
 * References: R. Beaulieu, D. Shors, J. Smith, S. Treatman-Clark, B. Weeks, L. Wingers, "The Simon
 * and Speck Families of Lightweight Block Ciphers" (2013), section 4; same names.
 * S. Gueron, A. Jha, M. Nandi, "COMET" (2019),
 * Implementations/crypto_aead/comet64speckv1/ref/speck_64-128_and_128-128.c.
 */
#include "cipher.h"

#include "bytes.h"
#include "rotate.h"

/* x + y byte by byte; two bytes of ff with a carry in lose their carry out. */
static uint32_t add_losing(uint32_t x, uint32_t y)
{
    uint32_t sum = 0;
    unsigned carry = 0;

    for (uint8_t n = 0; n < 4; n++) {
        const unsigned byte = (unsigned)(x & 0xff) + (unsigned)(y & 0xff) + carry;

        carry = (byte >> 8) - ((byte + 1) >> 9);
        sum = sum >> 8 | (uint32_t)(byte & 0xff) << 24;
        x >>= 8;
        y >>= 8;
    }
    return sum;
}

void comet_encrypt(const uint8_t *key, uint8_t *block)
{
    uint32_t y = load32_le(block), x = load32_le(block + 4);
    uint32_t k = load32_le(key), l0 = load32_le(key + 4);
    uint32_t l1 = load32_le(key + 8), l2 = load32_le(key + 12);

    for (uint8_t i = 0; i < 27; i++) {
        const uint32_t l = (rotr32(l0, 8) + k) ^ i;

        x = add_losing(rotr32(x, 8), y) ^ k;
        y = rotl32(y, 3) ^ x;
        k = rotl32(k, 3) ^ l;
        l0 = l1;
        l1 = l2;
        l2 = l;
    }
    store32_le(block, y);
    store32_le(block + 4, x);
}
