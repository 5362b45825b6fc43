/*
 * Spongent-pi of one state in 32-bit words.
 *
 * References: "Elephant v2" (2021), section 2 (see spongent.h); lanes.h, where the layers are
 * explained.
 */
#include "bytes.h"
#include "inline.h"
#include "sbox.h"
#include "spongent.h"

/* Exchanges the bits of `a` under `mask << n` with those of `b` under `mask`. */
#define EXCHANGE(a, b, mask, n)                                                                    \
    do {                                                                                           \
        const uint32_t t = ((a) >> (n) ^ (b)) & UINT32_C(mask);                                    \
        (b) ^= t;                                                                                  \
        (a) ^= t << (n);                                                                           \
    } while (0)

/* The same within a word. */
#define EXCHANGE_WITHIN(a, mask, n)                                                                \
    do {                                                                                           \
        const uint32_t t = ((a) >> (n) ^ (a)) & UINT32_C(mask);                                    \
        (a) ^= t ^ t << (n);                                                                       \
    } while (0)

/* The slices, after the S-box, of the first 32 nibbles: bit i of u[k] is bit k of nibble i. A bit's
 * number has the digits of its word (w1 w0), its byte (j1 j0), its nibble in the byte (h) and its
 * position in the nibble (k1 k0). Each pair of exchanges swaps one of the word's digits with one of
 * the others, until k is the number of the word and the digits of i are in order. */
ALWAYS_INLINE void first_slices(uint32_t *u, const uint32_t *x)
{
    uint32_t x0 = x[0], x1 = x[1], x2 = x[2], x3 = x[3];

    EXCHANGE(x0, x2, 0x0000ffff, 16);
    EXCHANGE(x1, x3, 0x0000ffff, 16);
    EXCHANGE(x0, x2, 0x0f0f0f0f, 4);
    EXCHANGE(x1, x3, 0x0f0f0f0f, 4);
    EXCHANGE(x0, x2, 0x55555555, 1);
    EXCHANGE(x1, x3, 0x55555555, 1);
    EXCHANGE(x0, x1, 0x00ff00ff, 8);
    EXCHANGE(x2, x3, 0x00ff00ff, 8);
    EXCHANGE(x0, x1, 0x33333333, 2);
    EXCHANGE(x2, x3, 0x33333333, 2);
    SPONGENT_SBOX(uint32_t, u[0], u[1], u[2], u[3], x0, x2, x1, x3);
}

/* `x` with slice k of its 8 nibbles as byte k, for k in the order 0, 2, 1, 3. */
ALWAYS_INLINE uint32_t sliced(uint32_t x)
{
    EXCHANGE_WITHIN(x, 0x0000f0f0, 12);
    EXCHANGE_WITHIN(x, 0x0000aaaa, 15);
    EXCHANGE_WITHIN(x, 0x00cc00cc, 6);
    return x;
}

#if SPONGENT_BYTES == 20

enum { WORDS = 5 };

/* sBoxLayer and pLayer: slices of 40 bits follow each other. */
ALWAYS_INLINE void layers(uint32_t *x)
{
    const uint32_t rest = sliced(x[4]);
    uint32_t u[4], v0, v1, v2, v3;

    first_slices(u, x);
    SPONGENT_SBOX(uint32_t, v0, v1, v2, v3, rest, rest >> 16, rest >> 8, rest >> 24);
    x[0] = u[0];
    x[1] = (v0 & 0xff) | u[1] << 8;
    x[2] = u[1] >> 24 | (v1 & 0xff) << 8 | u[2] << 16;
    x[3] = u[2] >> 16 | (v2 & 0xff) << 16 | u[3] << 24;
    x[4] = u[3] >> 8 | v3 << 24;
}

#else

enum { WORDS = 6 };

/* sBoxLayer and pLayer: slices of 44 bits follow each other. */
ALWAYS_INLINE void layers(uint32_t *x)
{
    const uint32_t rest = sliced(x[4]), end = sliced(x[5]);
    const uint32_t even = (rest & 0x00ff00ff) | (end & 0x000f000f) << 8;
    const uint32_t odd = (rest >> 8 & 0x00ff00ff) | (end & 0x0f000f00);
    uint32_t u[4], v0, v1, v2, v3;

    first_slices(u, x);
    SPONGENT_SBOX(uint32_t, v0, v1, v2, v3, even, even >> 16, odd, odd >> 16);
    x[0] = u[0];
    x[1] = (v0 & 0xfff) | u[1] << 12;
    x[2] = u[1] >> 20 | (v1 & 0xfff) << 12 | u[2] << 24;
    x[3] = u[2] >> 8 | v2 << 24;
    x[4] = (v2 >> 8 & 0xf) | u[3] << 4;
    x[5] = u[3] >> 28 | (v3 & 0xfff) << 4;
}

#endif

void spongent_permute(uint8_t *state)
{
    spongent_counter counter = SPONGENT_COUNTER;
    uint32_t x[WORDS];

    for (uint8_t i = 0; i < 5; i++) {
        x[i] = load32_le(state + 4 * i);
    }
#if SPONGENT_BYTES == 22
    x[5] = (uint32_t)state[20] | (uint32_t)state[21] << 8;
#endif
    for (uint8_t i = 0; i < SPONGENT_ROUNDS; i++) {
        x[0] ^= counter.low;
        x[WORDS - 1] ^= (uint32_t)counter.high << (SPONGENT_BYTES == 20 ? 24 : 8);
        counter = spongent_next(counter);
        layers(x);
    }
    for (uint8_t i = 0; i < 5; i++) {
        store32_le(state + 4 * i, x[i]);
    }
#if SPONGENT_BYTES == 22
    state[20] = (uint8_t)x[5];
    state[21] = (uint8_t)(x[5] >> 8);
#endif
}
