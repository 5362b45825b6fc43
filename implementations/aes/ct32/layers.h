/*
 * The linear layers of AES in bit planes of 32-bit words.
 *
 * References: FIPS 197 (2001, updated 2023), section 5.1; same names. A. Adomnicai, T. Peyrin,
 * "Fixslicing AES-like Ciphers", TCHES 2021(1): semi-fixslicing. aes_ct32.c explains where the bits
 * are.
 */
#ifndef PENNYWEIGHT_AES_CT32_LAYERS_H
#define PENNYWEIGHT_AES_CT32_LAYERS_H

#include <stdint.h>

#include "planes.h"
#include "rotate.h"

#define EVEN_BITS 0x55555555u
#define ODD_BITS 0xaaaaaaaau

/* Converts the four words of round key n, columns first, to the form that the rounds add: `sum`
 * added (not to the first), SHIFTROWS^-1 applied (for odd rounds), in bit planes. */
static void adapt_round_key(uint32_t w[4], unsigned n, uint32_t sum)
{
    if (n & 1) {
        const uint32_t w0 = w[0], w1 = w[1], w2 = w[2], w3 = w[3];
        const uint32_t rows02 = 0x00ff00ff, rows13 = 0xff00ff00;
        /* Rows 2 and 3 by two columns, then rows 1 and 3 by one. */
        const uint32_t v0 = (w0 & 0x0000ffff) | (w2 & 0xffff0000);
        const uint32_t v1 = (w1 & 0x0000ffff) | (w3 & 0xffff0000);
        const uint32_t v2 = (w2 & 0x0000ffff) | (w0 & 0xffff0000);
        const uint32_t v3 = (w3 & 0x0000ffff) | (w1 & 0xffff0000);
        w[0] = (v0 & rows02) | (v3 & rows13);
        w[1] = (v1 & rows02) | (v0 & rows13);
        w[2] = (v2 & rows02) | (v1 & rows13);
        w[3] = (v3 & rows02) | (v2 & rows13);
    }
    if (n != 0) {
        for (unsigned c = 0; c < 4; c++) {
            w[c] ^= sum;
        }
    }
    /* Transposes four by four fields of two bits in each byte. */
    exchange(&w[0], &w[1], 0x33333333, 2);
    exchange(&w[2], &w[3], 0x33333333, 2);
    exchange(&w[0], &w[2], 0x0f0f0f0f, 4);
    exchange(&w[1], &w[3], 0x0f0f0f0f, 4);
}

/* The bits that the word `w` of a round key adds to plane 2j. */
static inline uint32_t even_plane(uint32_t w)
{
    w &= EVEN_BITS;
    return w | w << 1;
}

/* The bits that the word `w` of a round key adds to plane 2j + 1. */
static inline uint32_t odd_plane(uint32_t w)
{
    w &= ODD_BITS;
    return w | w >> 1;
}

/* ADDROUNDKEY. */
static void add_round_key(uint32_t q[8], const uint32_t w[4])
{
    for (unsigned j = 0; j < 4; j++) {
        q[2 * j] ^= even_plane(w[j]);
        q[2 * j + 1] ^= odd_plane(w[j]);
    }
}

/* SHIFTROWS twice: exchanges columns 0, 2 and 1, 3 in rows 1 and 3. */
static void shift_rows_twice(uint32_t q[8])
{
    for (unsigned i = 0; i < 8; i++) {
        const uint32_t t = (q[i] ^ q[i] >> 4) & 0x0f000f00;
        q[i] ^= t ^ t << 4;
    }
}

/* Each byte of `x` rotated right by n bits; `low` has the 8 - n low bits of each byte set. */
static inline uint32_t rotate_bytes(uint32_t x, unsigned n, uint32_t low)
{
    return (x >> n & low) | (x << (8 - n) & ~low);
}

/* For each column, the byte one or two rows below: in even rounds, and in odd rounds, where a byte
 * is one column further right for each row further down. */
#define BELOW_EVEN(x) rotr32(x, 8)
#define BELOW_ODD(x) rotate_bytes(rotr32(x, 8), 2, 0x3f3f3f3f)
#define TWO_BELOW_EVEN(x) rotr32(x, 16)
#define TWO_BELOW_ODD(x) rotate_bytes(rotr32(x, 16), 4, 0x0f0f0f0f)

/*
 * MIXCOLUMNS and ADDROUNDKEY. For a byte a and the bytes b, c, d below it, MIXCOLUMNS computes {02}
 * a ^ {03} b ^ c ^ d = {02} (a ^ b) ^ b ^ (c ^ d). The product by {02} moves bit i to i + 1 and bit
 * 7 to 0, 1, 3 and 4. Planes are processed from 7 down: `below` and `sum` are b and a ^ b of this
 * plane, `next_sum` is a ^ b of the one before.
 */
#define MIX_PLANE(i, PARITY, bit7)                                                                 \
    do {                                                                                           \
        const uint32_t next_below = BELOW_##PARITY(q[(i) - 1]);                                    \
        const uint32_t next_sum = q[(i) - 1] ^ next_below;                                         \
        q[i] = next_sum ^ below ^ TWO_BELOW_##PARITY(sum) ^ (bit7) ^                               \
               ((i) & 1 ? odd_plane(w[(i) / 2]) : even_plane(w[(i) / 2]));                         \
        below = next_below;                                                                        \
        sum = next_sum;                                                                            \
    } while (0)

#define MIX_COLUMNS_AND_ADD_ROUND_KEY(PARITY)                                                      \
    do {                                                                                           \
        uint32_t below = BELOW_##PARITY(q[7]);                                                     \
        uint32_t sum = q[7] ^ below;                                                               \
        const uint32_t sum7 = sum;                                                                 \
        MIX_PLANE(7, PARITY, 0);                                                                   \
        MIX_PLANE(6, PARITY, 0);                                                                   \
        MIX_PLANE(5, PARITY, 0);                                                                   \
        MIX_PLANE(4, PARITY, sum7);                                                                \
        MIX_PLANE(3, PARITY, sum7);                                                                \
        MIX_PLANE(2, PARITY, 0);                                                                   \
        MIX_PLANE(1, PARITY, sum7);                                                                \
        q[0] = sum7 ^ below ^ TWO_BELOW_##PARITY(sum) ^ even_plane(w[0]);                          \
    } while (0)

/* MIXCOLUMNS and ADDROUNDKEY of the round key `w` in odd rounds: see BELOW_ODD. */
static void mix_columns_odd(uint32_t q[8], const uint32_t w[4])
{
    MIX_COLUMNS_AND_ADD_ROUND_KEY(ODD);
}

/* The same for even rounds: see BELOW_EVEN. */
static void mix_columns_even(uint32_t q[8], const uint32_t w[4])
{
    MIX_COLUMNS_AND_ADD_ROUND_KEY(EVEN);
}

#endif
