#include "permutation.h"

static uint64_t load(const uint8_t *bytes)
{
    uint64_t word = 0;
    for (uint8_t i = 0; i < 8; i++) {
        word = word << 8 | bytes[i];
    }
    return word;
}

static void store(uint8_t *bytes, uint64_t word)
{
    for (uint8_t i = 8; i > 0; i--) {
        bytes[i - 1] = (uint8_t)word;
        word >>= 8;
    }
}

static uint64_t mixed(uint64_t x, uint8_t a, uint8_t b)
{
    return x ^ (x >> a | x << (64 - a)) ^ (x >> b | x << (64 - b));
}

void permute(uint8_t *bytes, uint8_t rounds)
{
    uint64_t x[5];
    uint64_t t[5];
    for (uint8_t i = 0; i < 5; i++) {
        x[i] = load(bytes + 8 * i);
    }
    for (uint8_t r = (uint8_t)(12 - rounds); r < 12; r++) {
        x[2] ^= (uint64_t)(0xF0 - 0x0F * r);
        x[0] ^= x[4];
        x[4] ^= x[3];
        x[2] ^= x[1];
        for (uint8_t i = 0; i < 5; i++) {
            t[i] = x[i] ^ (~x[(i + 1) % 5] & x[(i + 2) % 5]);
        }
        t[1] ^= t[0];
        t[0] ^= t[4];
        t[3] ^= t[2];
        t[2] = ~t[2];
        x[0] = mixed(t[0], 19, 28);
        x[1] = mixed(t[1], 61, 39);
        x[2] = mixed(t[2], 1, 6);
        x[3] = mixed(t[3], 10, 17);
        x[4] = mixed(t[4], 7, 41);
    }
    for (uint8_t i = 0; i < 5; i++) {
        store(bytes + 8 * i, x[i]);
    }
}
