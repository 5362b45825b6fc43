/*
 * sLiSCP-light-256 and ACE, for loops or straight code.
 *
 * References: "ACE" (2019), section 2 and table 2.2; "SPIX" (2019), section 2 and its table of
 * constants (see sliscp.h).
 *
 * SLISCP_CALL is ALWAYS_INLINE or NEVER_INLINE, for the Simeck boxes; SLISCP_UNROLL stands before
 * the loop over their rounds.
 */
#ifndef PENNYWEIGHT_SLISCP_PERMUTATION_H
#define PENNYWEIGHT_SLISCP_PERMUTATION_H

#include "flash.h"
#include "inline.h"
#include "rotate.h"
#include "sliscp.h"

/* SB-64: eight rounds of Simeck-64 without key on the block `x`, the constants' bits in `rc`. */
SLISCP_CALL void sliscp_box(uint32_t *x, uint8_t rc)
{
    uint32_t a = x[0], b = x[1];

    SLISCP_UNROLL
    for (uint8_t i = 0; i < 4; i++) {
        b ^= (rotl32(a, 5) & a) ^ rotl32(a, 1) ^ UINT32_C(0xfffffffe) ^ (rc & 1);
        a ^= (rotl32(b, 5) & b) ^ rotl32(b, 1) ^ UINT32_C(0xfffffffe) ^ (rc >> 1 & 1);
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
    x[0] = ~x[0];
    x[1] ^= UINT32_C(0xffffff00) ^ sc;
}

#if SLISCP_BLOCKS == 4

/* For each step rc_0, rc_1, sc_0, sc_1. */
static const uint8_t sliscp_constants[18 * 4] IN_FLASH = {
    0x0f, 0x47, 0x08, 0x64, 0x04, 0xb2, 0x86, 0x6b, 0x43, 0xb5, 0xe2, 0x6f, 0xf1, 0x37, 0x89,
    0x2c, 0x44, 0x96, 0xe6, 0xdd, 0x73, 0xee, 0xca, 0x99, 0xe5, 0x4c, 0x17, 0xea, 0x0b, 0xf5,
    0x8e, 0x0f, 0x47, 0x07, 0x64, 0x04, 0xb2, 0x82, 0x6b, 0x43, 0xb5, 0xa1, 0x6f, 0xf1, 0x37,
    0x78, 0x2c, 0x44, 0x96, 0xa2, 0xdd, 0x73, 0xee, 0xb9, 0x99, 0xe5, 0x4c, 0xf2, 0xea, 0x0b,
    0xf5, 0x85, 0x0f, 0x47, 0x07, 0x23, 0x04, 0xb2, 0x82, 0xd9, 0x43, 0xb5,
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
