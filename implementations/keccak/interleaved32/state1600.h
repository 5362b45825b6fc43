/*
 * The state of Keccak-f[1600] with the bits of a lane interleaved in two words.
 *
 * References: G. Bertoni, J. Daemen, M. Peeters, G. Van Assche, R. Van Keer, "Keccak implementation
 * overview" (2012), section 2.1.
 */
#ifndef PENNYWEIGHT_KECCAK_STATE1600_H
#define PENNYWEIGHT_KECCAK_STATE1600_H

#include <stdint.h>

#include "bytes.h"

/* Bits 0, 2, 4, ... and bits 1, 3, 5, ... of all lanes. */
typedef struct {
    uint32_t even[KECCAK1600_LANES], odd[KECCAK1600_LANES];
} keccak1600_state;

/* Exchanges the bits of `a` under `mask << n` with those of `b` under `mask`. */
#define KECCAK_EXCHANGE(a, b, mask, n)                                                             \
    do {                                                                                           \
        const uint32_t t = ((a) >> (n) ^ (b)) & UINT32_C(mask);                                    \
        (b) ^= t;                                                                                  \
        (a) ^= t << (n);                                                                           \
    } while (0)

/* A bit's number has one digit for the half of the lane and five for the position in it. Each
 * exchange swaps the former with one of the latter, until it separates even from odd bits. */
static inline void keccak1600_add_lane(keccak1600_state *state, uint8_t i, const uint8_t *p)
{
    uint32_t low = load32_le(p), high = load32_le(p + 4);

    KECCAK_EXCHANGE(low, high, 0x0000ffff, 16);
    KECCAK_EXCHANGE(low, high, 0x00ff00ff, 8);
    KECCAK_EXCHANGE(low, high, 0x0f0f0f0f, 4);
    KECCAK_EXCHANGE(low, high, 0x33333333, 2);
    KECCAK_EXCHANGE(low, high, 0x55555555, 1);
    state->even[i] ^= low;
    state->odd[i] ^= high;
}

/* Bits 0, 2, 4 and 6 of `x`, side by side. */
static inline uint32_t keccak_even_bits(uint32_t x)
{
    x &= 0x55;
    x = (x | x >> 1) & 0x33;
    return (x | x >> 2) & 0x0f;
}

static inline void keccak1600_add_byte(keccak1600_state *state, uint8_t i, uint8_t x)
{
    state->even[i / 8] ^= keccak_even_bits(x) << 4 * (i % 8);
    state->odd[i / 8] ^= keccak_even_bits((uint32_t)x >> 1) << 4 * (i % 8);
}

static inline void keccak1600_lane(const keccak1600_state *state, uint8_t i, uint8_t *p)
{
    uint32_t low = state->even[i], high = state->odd[i];

    KECCAK_EXCHANGE(low, high, 0x55555555, 1);
    KECCAK_EXCHANGE(low, high, 0x33333333, 2);
    KECCAK_EXCHANGE(low, high, 0x0f0f0f0f, 4);
    KECCAK_EXCHANGE(low, high, 0x00ff00ff, 8);
    KECCAK_EXCHANGE(low, high, 0x0000ffff, 16);
    store32_le(p, low);
    store32_le(p + 4, high);
}

#endif
