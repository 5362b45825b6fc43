/*
 * CHAM-64/128, four rounds per iteration.
 *
 * References: B. Koo, D. Roh, H. Kim, Y. Jung, D.-G. Lee, D. Kwon, "CHAM: A Family of Lightweight
 * Block Ciphers for Resource-Constrained Devices" (ICISC 2017), sections 2.1 and 2.2; same
 * names.
 */
#include "cipher.h"

#include "inline.h"

/* `x` rotated left by n bits, 1 <= n <= 15. */
ALWAYS_INLINE uint16_t rotl16(uint16_t x, unsigned n)
{
    return (uint16_t)((uint32_t)x << n | (uint32_t)x >> (16 - n));
}

/* The word of two bytes, the least significant first. */
ALWAYS_INLINE uint16_t load16(const uint8_t *p)
{
    return (uint16_t)(p[0] | (unsigned)p[1] << 8);
}

/* Writes a word as two bytes. */
ALWAYS_INLINE void store16(uint8_t *p, uint16_t x)
{
    p[0] = (uint8_t)x;
    p[1] = (uint8_t)(x >> 8);
}

/* Rounds i and i + 1, where i is even, on words that are renamed instead of moved. */
#define TWO_ROUNDS(x0, x1, x2, k)                                                                  \
    do {                                                                                           \
        x0 = rotl16((uint16_t)((x0 ^ i) + (rotl16(x1, 1) ^ (k)[0])), 8);                           \
        i++;                                                                                       \
        x1 = rotl16((uint16_t)((x1 ^ i) + (rotl16(x2, 8) ^ (k)[1])), 1);                           \
        i++;                                                                                       \
    } while (0)

void comet_encrypt(const uint8_t *key, uint8_t *block)
{
    uint16_t rk[16];
    uint16_t x0 = load16(block), x1 = load16(block + 2);
    uint16_t x2 = load16(block + 4), x3 = load16(block + 6);
    uint8_t i = 0;

    for (unsigned j = 0; j < 8; j++) { /* RK[j] and RK[(j + 8) ^ 1] */
        const uint16_t k = load16(key + 2 * j);
        const uint16_t sum = k ^ rotl16(k, 1);

        rk[j] = sum ^ rotl16(k, 8);
        rk[(j + 8) ^ 1] = sum ^ rotl16(k, 11);
    }
    do {
        const uint16_t *const k = rk + (i & 15);

        TWO_ROUNDS(x0, x1, x2, k);
        TWO_ROUNDS(x2, x3, x0, k + 2);
    } while (i != 80);
    store16(block, x0);
    store16(block + 2, x1);
    store16(block + 4, x2);
    store16(block + 6, x3);
}
