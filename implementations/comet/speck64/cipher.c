/*
 * SPECK-64/128, with its key schedule on the fly.
 *
 * References: R. Beaulieu, D. Shors, J. Smith, S. Treatman-Clark, B. Weeks, L. Wingers, "The Simon
 * and Speck Families of Lightweight Block Ciphers" (2013), section 4; same names.
 */
#include "cipher.h"

#include "bytes.h"
#include "inline.h"
#include "rotate.h"

/* R_k(x, y). */
#define ROUND(x, y, k)                                                                             \
    do {                                                                                           \
        x = (rotr32(x, 8) + y) ^ (k);                                                              \
        y = rotl32(y, 3) ^ x;                                                                      \
    } while (0)

/* A round with the round key k_i, and k_i+1. */
#define STEP(l)                                                                                    \
    do {                                                                                           \
        ROUND(x, y, k);                                                                            \
        ROUND(l, k, i);                                                                            \
        i++;                                                                                       \
    } while (0)

void comet_encrypt(const uint8_t *key, uint8_t *block)
{
    uint32_t y = load32_le(block), x = load32_le(block + 4);
    uint32_t k = load32_le(key), l0 = load32_le(key + 4);
    uint32_t l1 = load32_le(key + 8), l2 = load32_le(key + 12), i = 0;

    do {
        STEP(l0);
        STEP(l1);
        STEP(l2);
    } while (i != 27);
    store32_le(block, y);
    store32_le(block + 4, x);
}
