/*
 * What the modes of Romulus have in common.
 *
 * References: "Romulus v1.3" (2021), sections 2.2 to 2.4 (see romulus.h); names as there.
 */
#include "romulus.h"

void romulus_reset(romulus_tk1 *tk1)
{
    tk1->counter[0] = 1;
    for (uint8_t i = 1; i < sizeof tk1->counter; i++) {
        tk1->counter[i] = 0;
    }
}

/* The polynomial is x^56 + x^7 + x^4 + x^2 + 1. */
void romulus_count(romulus_tk1 *tk1)
{
    uint8_t over = 0;

    for (uint8_t i = 0; i < sizeof tk1->counter; i++) {
        const uint8_t byte = tk1->counter[i];

        tk1->counter[i] = (uint8_t)(byte << 1 | over);
        over = byte >> 7;
    }
    if (over != 0) {
        tk1->counter[0] ^= 0x95;
    }
}

void romulus_encrypt(const skinny128_schedule *schedule, romulus_tk1 *tk1, uint8_t domain,
                     uint8_t *s)
{
    tk1->domain = domain;
    skinny128_encrypt(schedule, tk1->counter, s);
}

void romulus_pad(uint8_t *padded, const uint8_t *bytes, uint8_t length)
{
    for (uint8_t i = 0; i < ROMULUS_BLOCK; i++) {
        padded[i] = 0;
    }
    romulus_absorb(padded, bytes, length);
}

void romulus_absorb(uint8_t *s, const uint8_t *bytes, uint8_t length)
{
    for (uint8_t i = 0; i < length; i++) {
        s[i] ^= bytes[i];
    }
    if (length < ROMULUS_BLOCK) {
        s[ROMULUS_BLOCK - 1] ^= length;
    }
}

/* G on a byte: x7 ... x0 become x7 + x0, x7, ..., x1. */
static inline uint8_t g(uint8_t x)
{
    return (uint8_t)(x >> 1 ^ (x & 0x80) ^ x << 7);
}

void romulus_rho(uint8_t *s, uint8_t *output, const uint8_t *input, uint8_t length, uint8_t inverse)
{
    for (uint8_t i = 0; i < length; i++) {
        const uint8_t in = input[i], out = (uint8_t)(in ^ g(s[i]));

        output[i] = out;
        s[i] = (uint8_t)(s[i] ^ (inverse ? out : in));
    }
    if (length < ROMULUS_BLOCK) {
        s[ROMULUS_BLOCK - 1] ^= length;
    }
}

void romulus_g(uint8_t *output, const uint8_t *s)
{
    for (uint8_t i = 0; i < ROMULUS_BLOCK; i++) {
        output[i] = g(s[i]);
    }
}
