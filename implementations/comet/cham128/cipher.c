/*
 * CHAM-128/128, eight rounds per iteration.
 *
 * References: B. Koo, D. Roh, H. Kim, Y. Jung, D.-G. Lee, D. Kwon, "CHAM: A Family of Lightweight
 * Block Ciphers for Resource-Constrained Devices" (ICISC 2017), sections 2.1 and 2.2; same
 * names.
 */
#include "cipher.h"

#include "bytes.h"
#include "inline.h"
#include "rotate.h"

/* RK[i] and RK[(i + 4) ^ 1]. */
ALWAYS_INLINE void expand(uint32_t *rk, unsigned i, const uint8_t *key)
{
    const uint32_t k = load32_le(key + 4 * i);
    const uint32_t sum = k ^ rotl32(k, 1);

    rk[i] = sum ^ rotl32(k, 8);
    rk[(i + 4) ^ 1] = sum ^ rotl32(k, 11);
}

/* Rounds i and i + 1, where i is even, on words that are renamed instead of moved. */
#define TWO_ROUNDS(x0, x1, x2, n)                                                                  \
    do {                                                                                           \
        x0 = rotl32((x0 ^ i) + (rotl32(x1, 1) ^ rk[n]), 8);                                        \
        i++;                                                                                       \
        x1 = rotl32((x1 ^ i) + (rotl32(x2, 8) ^ rk[(n) + 1]), 1);                                  \
        i++;                                                                                       \
    } while (0)

void comet_encrypt(const uint8_t *key, uint8_t *block)
{
    uint32_t rk[8], i = 0;
    uint32_t x0 = load32_le(block), x1 = load32_le(block + 4);
    uint32_t x2 = load32_le(block + 8), x3 = load32_le(block + 12);

    for (unsigned j = 0; j < 4; j++) {
        expand(rk, j, key);
    }
    do {
        TWO_ROUNDS(x0, x1, x2, 0);
        TWO_ROUNDS(x2, x3, x0, 2);
        TWO_ROUNDS(x0, x1, x2, 4);
        TWO_ROUNDS(x2, x3, x0, 6);
    } while (i != 80);
    store32_le(block, x0);
    store32_le(block + 4, x1);
    store32_le(block + 8, x2);
    store32_le(block + 12, x3);
}
