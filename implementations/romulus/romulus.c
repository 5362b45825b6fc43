/*
 * Shared by the modes of Romulus.
 *
 * References: "Romulus v1.3" (2021), sections 2.2 to 2.4 (see romulus.h); same names.
 */
#include "romulus.h"

#if ROMULUS_WORDS
#include "aligned.h"
#include "order.h"
#endif

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

#if ROMULUS_WORDS
    if (is_aligned32(tk1->counter)) { /* the domain's byte is written with each encryption */
        const uint32_t low = little_endian32(load32_aligned(tk1->counter));
        const uint32_t high = little_endian32(load32_aligned(tk1->counter + 4));

        store32_aligned(tk1->counter, little_endian32(low << 1 ^ (high >> 23 & 1) * 0x95));
        store32_aligned(tk1->counter + 4, little_endian32(high << 1 | low >> 31));
        return;
    }
#endif
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
#if ROMULUS_WORDS
    if (is_aligned32(padded)) {
        for (uint8_t i = 0; i < ROMULUS_BLOCK; i = (uint8_t)(i + 4)) {
            store32_aligned(padded + i, 0);
        }
    } else
#endif
    {
        for (uint8_t i = 0; i < ROMULUS_BLOCK; i++) {
            padded[i] = 0;
        }
    }
    romulus_absorb(padded, bytes, length);
}

/* Marks a block of fewer than 16 bytes. */
static inline void mark(uint8_t *s, uint8_t length)
{
    if (length < ROMULUS_BLOCK) {
        s[ROMULUS_BLOCK - 1] ^= length;
    }
}

void romulus_absorb(uint8_t *s, const uint8_t *bytes, uint8_t length)
{
    uint8_t i = 0;

#if ROMULUS_WORDS
    if (is_aligned32(s) && is_aligned32(bytes)) {
        for (; i + 4 <= length; i = (uint8_t)(i + 4)) {
            store32_aligned(s + i, load32_aligned(s + i) ^ load32_aligned(bytes + i));
        }
    }
#endif
    for (; i < length; i++) {
        s[i] ^= bytes[i];
    }
    mark(s, length);
}

/* G on a byte: x7 ... x0 become x7 + x0, x7, ..., x1. */
static inline uint8_t g(uint8_t x)
{
    return (uint8_t)(x >> 1 ^ (x & 0x80) ^ x << 7);
}

#if ROMULUS_WORDS
/* G on four bytes. */
static inline uint32_t g4(uint32_t x)
{
    return (x >> 1 & UINT32_C(0x7f7f7f7f)) ^ ((x ^ x << 7) & UINT32_C(0x80808080));
}
#endif

void romulus_rho(uint8_t *s, uint8_t *output, const uint8_t *input, uint8_t length, uint8_t inverse)
{
    uint8_t i = 0;

#if ROMULUS_WORDS
    if (is_aligned32(s) && is_aligned32(output) && is_aligned32(input)) {
        for (; i + 4 <= length; i = (uint8_t)(i + 4)) {
            const uint32_t in = load32_aligned(input + i), old = load32_aligned(s + i);
            const uint32_t out = in ^ g4(old);

            store32_aligned(output + i, out);
            store32_aligned(s + i, old ^ (inverse ? out : in));
        }
    }
#endif
    for (; i < length; i++) {
        const uint8_t in = input[i], out = (uint8_t)(in ^ g(s[i]));

        output[i] = out;
        s[i] = (uint8_t)(s[i] ^ (inverse ? out : in));
    }
    mark(s, length);
}

void romulus_g(uint8_t *output, const uint8_t *s)
{
    uint8_t i = 0;

#if ROMULUS_WORDS
    if (is_aligned32(output) && is_aligned32(s)) {
        for (; i < ROMULUS_BLOCK; i = (uint8_t)(i + 4)) {
            store32_aligned(output + i, g4(load32_aligned(s + i)));
        }
    }
#endif
    for (; i < ROMULUS_BLOCK; i++) {
        output[i] = g(s[i]);
    }
}
