/*
 * CHAM-64/128 optimised for code size: one round per iteration.
 *
 * References: B. Koo, D. Roh, H. Kim, Y. Jung, D.-G. Lee, D. Kwon, "CHAM: A Family of Lightweight
 * Block Ciphers for Resource-Constrained Devices" (ICISC 2017), sections 2.1 and 2.2; same
 * names.
 */
#include "cipher.h"

#include "rotate_short.h"

void comet_encrypt(const uint8_t *key, uint8_t *block)
{
    uint16_t rk[16], x[4];

    for (uint8_t j = 0; j < 4; j++) {
        x[j] = (uint16_t)(block[2 * j] | (unsigned)block[2 * j + 1] << 8);
    }
    for (uint8_t j = 0; j < 8; j++, key += 2) { /* RK[j] and RK[(j + 8) ^ 1] */
        const uint16_t k = (uint16_t)(key[0] | (unsigned)key[1] << 8);
        const uint16_t sum = k ^ rotl16(k, 1);

        rk[j] = sum ^ rotl16(k, 8);
        rk[(j + 8) ^ 1] = sum ^ rotl16(k, 11);
    }
    for (uint8_t i = 0; i < 80; i++) {
        const uint16_t k = rk[i & 15], x0 = x[0] ^ i, x1 = x[1];

        x[0] = x1;
        x[1] = x[2];
        x[2] = x[3];
        if (i & 1) {
            x[3] = rotl16((uint16_t)(x0 + (rotl16(x1, 8) ^ k)), 1);
        } else {
            x[3] = rotl16((uint16_t)(x0 + (rotl16(x1, 1) ^ k)), 8);
        }
    }
    for (uint8_t j = 0; j < 4; j++) {
        block[2 * j] = (uint8_t)x[j];
        block[2 * j + 1] = (uint8_t)(x[j] >> 8);
    }
}
