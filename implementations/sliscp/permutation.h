/*
 * sLiSCP-light and ACE, for loops or straight code.
 *
 * References: "ACE" (2019), section 2 and table 2.2; "SPIX" and "SpoC" (2019), section 2 and
 * their tables of constants (see sliscp.h).
 *
 * SLISCP_CALL is ALWAYS_INLINE or NEVER_INLINE, for the Simeck boxes; SLISCP_UNROLL precedes the
 * loop over their rounds.
 */
#ifndef PENNYWEIGHT_SLISCP_PERMUTATION_H
#define PENNYWEIGHT_SLISCP_PERMUTATION_H

#include "flash.h"
#include "inline.h"
#include "keep.h"
#include "rotate.h"
#include "sliscp.h"

#if SLISCP_WORD_BYTES == 4

#define SLISCP_ONES UINT32_C(0xffffffff)

/* x <<< n in a word of 32 bits. */
ALWAYS_INLINE uint32_t sliscp_rol(uint32_t x, unsigned n)
{
    return rotl32(x, n);
}

#else

#define SLISCP_ONES UINT32_C(0x00ffffff)

/* A 24-bit word rotated left by n = 1 or 5 bits; bits above it are ignored. On AVR, where the
 * compiler would emit loops, the upper byte is appended and additions shift it. */
ALWAYS_INLINE uint32_t sliscp_rol(uint32_t x, unsigned n)
{
#if defined(__AVR__)
    x = x << 8 | (uint8_t)(x >> 16);
    x += x;
    if (n == 5) {
        KEEP(x);
        x += x;
        KEEP(x);
        x += x;
        KEEP(x);
        x += x;
        KEEP(x);
        x += x;
    }
    return x >> 8;
#else
    return x << n | x >> (24 - n);
#endif
}

#endif

/* SB-64 or SB-48: eight or six rounds of unkeyed Simeck on the block `x`, with the constants' bits
 * in `rc`. */
SLISCP_CALL void sliscp_box(uint32_t *x, uint8_t rc)
{
    uint32_t a = x[0], b = x[1];

    SLISCP_UNROLL
    for (uint8_t i = 0; i < SLISCP_WORD_BYTES; i++) {
        b ^= (sliscp_rol(a, 5) & a) ^ sliscp_rol(a, 1) ^ (SLISCP_ONES - 1) ^ (rc & 1);
        b &= SLISCP_ONES;
        a ^= (sliscp_rol(b, 5) & b) ^ sliscp_rol(b, 1) ^ (SLISCP_ONES - 1) ^ (rc >> 1 & 1);
        a &= SLISCP_ONES;
        rc >>= 2;
    }
    x[0] = a;
    x[1] = b;
}

/* Adds a block. */
ALWAYS_INLINE void sliscp_sum(uint32_t *x, const uint32_t *y)
{
    x[0] ^= y[0];
    x[1] ^= y[1];
}

/* Adds the step constant `sc`, with ones before it, to a block. */
ALWAYS_INLINE void sliscp_constant(uint32_t *x, uint8_t sc)
{
    x[0] ^= SLISCP_ONES;
    x[1] ^= (SLISCP_ONES - 0xff) ^ sc;
}

#if SLISCP_BLOCKS == 4

/* For each step rc_0, rc_1, sc_0, sc_1. */
static const uint8_t sliscp_constants[18 * 4] IN_FLASH = {
#if SLISCP_WORD_BYTES == 3
    0x07, 0x27, 0x08, 0x29, 0x04, 0x34, 0x0c, 0x1d, 0x06, 0x2e, 0x0a, 0x33, 0x25, 0x19, 0x2f,
    0x2a, 0x17, 0x35, 0x38, 0x1f, 0x1c, 0x0f, 0x24, 0x10, 0x12, 0x08, 0x36, 0x18, 0x3b, 0x0c,
    0x0d, 0x14, 0x26, 0x0a, 0x2b, 0x1e, 0x15, 0x2f, 0x3e, 0x31, 0x3f, 0x38, 0x01, 0x09, 0x20,
    0x24, 0x21, 0x2d, 0x30, 0x36, 0x11, 0x1b, 0x28, 0x0d, 0x39, 0x16, 0x3c, 0x2b, 0x05, 0x3d,
    0x22, 0x3e, 0x27, 0x03, 0x13, 0x01, 0x34, 0x02, 0x1a, 0x21, 0x2e, 0x23,
#else
    0x0f, 0x47, 0x08, 0x64, 0x04, 0xb2, 0x86, 0x6b, 0x43, 0xb5, 0xe2, 0x6f, 0xf1, 0x37, 0x89,
    0x2c, 0x44, 0x96, 0xe6, 0xdd, 0x73, 0xee, 0xca, 0x99, 0xe5, 0x4c, 0x17, 0xea, 0x0b, 0xf5,
    0x8e, 0x0f, 0x47, 0x07, 0x64, 0x04, 0xb2, 0x82, 0x6b, 0x43, 0xb5, 0xa1, 0x6f, 0xf1, 0x37,
    0x78, 0x2c, 0x44, 0x96, 0xa2, 0xdd, 0x73, 0xee, 0xb9, 0x99, 0xe5, 0x4c, 0xf2, 0xea, 0x0b,
    0xf5, 0x85, 0x0f, 0x47, 0x07, 0x23, 0x04, 0xb2, 0x82, 0xd9, 0x43, 0xb5,
#endif
};

void sliscp_permute(sliscp_state *state, uint8_t steps)
{
    uint32_t *x = state->x;

    for (const uint8_t *c = sliscp_constants; steps != 0; steps--, c += 4) {
        sliscp_box(x + 2, flash_u8(c));
        sliscp_box(x + 6, flash_u8(c + 1));
        sliscp_constant(x, flash_u8(c + 2));
        sliscp_constant(x + 4, flash_u8(c + 3));
        for (uint8_t i = 0; i < 2; i++) {
            const uint32_t x0 = x[i], x1 = x[2 + i], x2 = x[4 + i], x3 = x[6 + i];

            x[i] = x1;
            x[2 + i] = x2 ^ x3;
            x[4 + i] = x3;
            x[6 + i] = x0 ^ x1;
        }
    }
}

#else

/* For each step rc_0, rc_1, rc_2, sc_0, sc_1, sc_2. */
static const uint8_t sliscp_constants[16 * 6] IN_FLASH = {
    0x07, 0x53, 0x43, 0x50, 0x28, 0x14, 0x0a, 0x5d, 0xe4, 0x5c, 0xae, 0x57, 0x9b, 0x49, 0x5e, 0x91,
    0x48, 0x24, 0xe0, 0x7f, 0xcc, 0x8d, 0xc6, 0x63, 0xd1, 0xbe, 0x32, 0x53, 0xa9, 0x54, 0x1a, 0x1d,
    0x4e, 0x60, 0x30, 0x18, 0x22, 0x28, 0x75, 0x68, 0x34, 0x9a, 0xf7, 0x6c, 0x25, 0xe1, 0x70, 0x38,
    0x62, 0x82, 0xfd, 0xf6, 0x7b, 0xbd, 0x96, 0x47, 0xf9, 0x9d, 0xce, 0x67, 0x71, 0x6b, 0x76, 0x40,
    0x20, 0x10, 0xaa, 0x88, 0xa0, 0x4f, 0x27, 0x13, 0x2b, 0xdc, 0xb0, 0xbe, 0x5f, 0x2f, 0xe9, 0x8b,
    0x09, 0x5b, 0xad, 0xd6, 0xcf, 0x59, 0x1e, 0xe9, 0x74, 0xba, 0xb7, 0xc6, 0xad, 0x7f, 0x3f, 0x1f,
};

void sliscp_permute(sliscp_state *state, uint8_t steps)
{
    uint32_t *a = state->x, *b = a + 2, *c = a + 4, *d = a + 6, *e = a + 8;

    for (const uint8_t *constant = sliscp_constants; steps != 0; steps--, constant += 6) {
        sliscp_box(a, flash_u8(constant));
        sliscp_box(c, flash_u8(constant + 1));
        sliscp_box(e, flash_u8(constant + 2));
        sliscp_sum(d, e);
        sliscp_sum(b, c);
        sliscp_sum(e, a);
        sliscp_constant(b, flash_u8(constant + 3));
        sliscp_constant(d, flash_u8(constant + 4));
        sliscp_constant(e, flash_u8(constant + 5));
        for (uint8_t i = 0; i < 2; i++) {
            const uint32_t first = a[i];

            a[i] = d[i];
            d[i] = e[i];
            e[i] = b[i];
            b[i] = c[i];
            c[i] = first;
        }
    }
}

#endif
#endif
