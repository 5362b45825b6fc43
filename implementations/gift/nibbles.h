/*
 * GIFT-128's blocks and keys in the order of its first specification, in which the four-bit cell i
 * is bits 4 i to 4 i + 3 of the block, with the first byte least significant.
 *
 * References: S. Banik, S. K. Pandey, T. Peyrin, Y. Sasaki, S. M. Sim, Y. Todo, "GIFT: A Small
 * Present" (CHES 2017), section 2; "GIFT-COFB v1.1" (2021), chapter 2, for the rows: bit i of S_j
 * is bit j of cell i.
 *
 * "gift128.h" is the representation that the implementation chose.
 */
#ifndef PENNYWEIGHT_GIFT_NIBBLES_H
#define PENNYWEIGHT_GIFT_NIBBLES_H

#include "bytes.h"
#include "gift128.h"

/* Exchanges the bits of x in `mask` with those `n` positions higher. */
static inline uint32_t gift_exchange(uint32_t x, uint32_t mask, unsigned n)
{
    const uint32_t difference = (x ^ x >> n) & mask;

    return x ^ difference ^ difference << n;
}

/* Converts eight cells to four bytes; byte j has bit j of every cell. */
static inline uint32_t gift_to_rows(uint32_t x)
{
    x = gift_exchange(x, UINT32_C(0x0a0a0a0a), 3);
    x = gift_exchange(x, UINT32_C(0x00cc00cc), 6);
    x = gift_exchange(x, UINT32_C(0x0000f0f0), 12);
    return gift_exchange(x, UINT32_C(0x0000ff00), 8);
}

/* The inverse. */
static inline uint32_t gift_to_cells(uint32_t x)
{
    x = gift_exchange(x, UINT32_C(0x0000ff00), 8);
    x = gift_exchange(x, UINT32_C(0x0000f0f0), 12);
    x = gift_exchange(x, UINT32_C(0x00cc00cc), 6);
    return gift_exchange(x, UINT32_C(0x0a0a0a0a), 3);
}

/* The key schedule, for a key of 16 bytes, the first of which is the least significant. */
static inline void gift128n_set_key(gift128_key *key, const uint8_t *bytes)
{
    uint8_t reversed[16];

    for (uint8_t i = 0; i < 16; i++) {
        reversed[i] = bytes[15 - i];
    }
    gift128_set_key(key, reversed);
}

/* The 16 bytes of a block; they may be unaligned. */
static inline void gift128n_load(gift128_state *state, const uint8_t *bytes)
{
    uint8_t rows[16];

    for (uint8_t i = 0; i < 4; i++) {
        const uint32_t x = gift_to_rows(load32_le(bytes + 4 * i));

        rows[3 - i] = (uint8_t)x;
        rows[7 - i] = (uint8_t)(x >> 8);
        rows[11 - i] = (uint8_t)(x >> 16);
        rows[15 - i] = (uint8_t)(x >> 24);
    }
    gift128_load(state, rows);
}

/* Writes the 16 bytes of a block. */
static inline void gift128n_store(uint8_t *bytes, const gift128_state *state)
{
    uint8_t rows[16];

    gift128_store(rows, state);
    for (uint8_t i = 0; i < 4; i++) {
        const uint32_t x = (uint32_t)rows[3 - i] | (uint32_t)rows[7 - i] << 8 |
                           (uint32_t)rows[11 - i] << 16 | (uint32_t)rows[15 - i] << 24;

        store32_le(bytes + 4 * i, gift_to_cells(x));
    }
}

#endif
