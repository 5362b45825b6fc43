/*
 * CHAM-128/128 optimised for code size: one round per iteration.
 *
 * References: B. Koo, D. Roh, H. Kim, Y. Jung, D.-G. Lee, D. Kwon, "CHAM: A Family of Lightweight
 * Block Ciphers for Resource-Constrained Devices" (ICISC 2017), sections 2.1 and 2.2; same
 * names.
 */
#include "cipher.h"

#include "bytes.h"
#include "rotate.h"

void comet_encrypt(const uint8_t *key, uint8_t *block)
{
    uint32_t rk[8], x[4];

    for (uint8_t j = 0; j < 4; j++) {
        x[j] = load32_le(block + 4 * j);
    }
    for (uint8_t j = 0; j < 4; j++) { /* RK[j] and RK[(j + 4) ^ 1] */
        const uint32_t k = load32_le(key + 4 * j);
        const uint32_t sum = k ^ rotl32(k, 1);

        rk[j] = sum ^ rotl32(k, 8);
        rk[(j + 4) ^ 1] = sum ^ rotl32(k, 11);
    }
    for (uint8_t i = 0; i < 80; i++) {
        const uint32_t k = rk[i & 7], x0 = x[0] ^ i, x1 = x[1];

        x[0] = x1;
        x[1] = x[2];
        x[2] = x[3];
        if (i & 1) {
            x[3] = rotl32((uint32_t)(x0 + (rotl32(x1, 8) ^ k)), 1);
        } else {
            x[3] = rotl32((uint32_t)(x0 + (rotl32(x1, 1) ^ k)), 8);
        }
    }
    for (uint8_t j = 0; j < 4; j++) {
        store32_le(block + 4 * j, x[j]);
    }
}
