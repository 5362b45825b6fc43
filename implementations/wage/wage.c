/*
 * The permutation WAGE.
 *
 * References: M. Aagaard, R. AlTawy, G. Gong, K. Mandal, R. Rohit, N. Zidaric, "WAGE: An
 * Authenticated Cipher" (submission to NIST's lightweight cryptography project, round 2, 2019),
 * section 2; same names.
 */
#include "wage.h"

#include "flash.h"

enum { ROUNDS = 111 };

/* WGP, the Welch-Gong permutation of GF(2^7) with decimation 13: y + z^33 + z^39 + z^41 + z^104,
 * where y = x^13 and z = y + 1. Four values in a word. Every look-up reads all of them.
 */
/* clang-format off */
static const uint32_t wgp_values[32] IN_FLASH = {
    0x4b0a1200, 0x73480c66, 0x51613e79, 0x0e171501,
    0x3668337e, 0x5e373542, 0x543f4c53, 0x2a566e58,
    0x656d251d, 0x202f715b, 0x3a291806, 0x1b6c7a0d,
    0x41704319, 0x60772249, 0x0255454f, 0x2d754763,
    0x5c7d4640, 0x0b26597c, 0x5d570309, 0x2e307827,
    0x083b5244, 0x6b052c67, 0x38211a2b, 0x114a0f07,
    0x31286a50, 0x725f4d10, 0x135a1639, 0x1f343c04,
    0x23141e76, 0x7b4e321c, 0x3d7f7424, 0x6f626469,
};
/* clang-format on */

/* All bits set if bit n of x is. */
static uint32_t mask_of(uint8_t x, uint8_t n)
{
    return UINT32_C(0) - (x >> n & 1);
}

/* WGP in constant time: the bits of x, from the last one, select halves of the table. */
static uint8_t wgp(uint8_t x)
{
    const uint32_t m2 = mask_of(x, 2), m3 = mask_of(x, 3), m4 = mask_of(x, 4);
    const uint32_t m5 = mask_of(x, 5), m6 = mask_of(x, 6);
    uint32_t y = 0;

    for (uint8_t i = 0; i < 8; i++) {
        const uint32_t *const v = wgp_values + i;
        const uint32_t a0 = flash_u32(v), a1 = flash_u32(v + 8);
        const uint32_t a2 = flash_u32(v + 16), a3 = flash_u32(v + 24);
        const uint32_t b0 = a0 ^ ((a0 ^ a2) & m6), b1 = a1 ^ ((a1 ^ a3) & m6);
        const uint32_t c = b0 ^ ((b0 ^ b1) & m5);
        /* selects the i-th if i is bits 2 to 4 of x */
        const uint32_t no = (m2 ^ (UINT32_C(0) - (i & 1))) | (m3 ^ (UINT32_C(0) - (i >> 1 & 1))) |
                            (m4 ^ (UINT32_C(0) - (i >> 2)));

        y ^= c & ~no;
    }
    y ^= (y ^ y >> 16) & mask_of(x, 1);
    y ^= (y ^ y >> 8) & mask_of(x, 0);
    return (uint8_t)(y & 0x7f);
}

/* SB on four values in a word: R five times and Q, where Q is followed by a permutation of bits in
 * R; x0 is bit 6 of a value. */
static uint32_t substitute(uint32_t x)
{
    uint32_t x0 = x >> 6, x1 = x >> 5, x2 = x >> 4, x3 = x >> 3, x4 = x >> 2, x5 = x >> 1, x6 = x;

    for (uint8_t i = 5;; i--) {
        uint32_t t;

        x0 ^= x2 & x3;
        x3 ^= ~(x5 & x6);
        x5 ^= ~(x2 & x4);
        if (i == 0) {
            break;
        }
        t = x0;
        x0 = x6;
        x6 = x1;
        x1 = x3;
        x3 = x4;
        x4 = x2;
        x2 = t;
    }
    x = ~x0 & UINT32_C(0x01010101);
    x = x << 1 | (x1 & UINT32_C(0x01010101));
    x = x << 1 | (~x2 & UINT32_C(0x01010101));
    x = x << 1 | (x3 & UINT32_C(0x01010101));
    x = x << 1 | (x4 & UINT32_C(0x01010101));
    x = x << 1 | (x5 & UINT32_C(0x01010101));
    return x << 1 | (x6 & UINT32_C(0x01010101));
}

/* The next round constant: an LFSR of 7 bits. */
static uint8_t next_constant(uint8_t c)
{
    return (uint8_t)(c >> 1 | ((c ^ c >> 1) & 1) << 6);
}

/* The stages do not move: round i begins at stage i of a longer register. */
void wage_permute(uint8_t s[WAGE_STAGES])
{
    uint8_t stages[WAGE_STAGES + ROUNDS];
    uint8_t *p = stages;
    uint8_t c = 0x7f;

    for (uint8_t i = 0; i < WAGE_STAGES; i++) {
        stages[i] = s[i];
    }
    for (uint8_t i = 0; i < ROUNDS; i++, p++) {
        const uint8_t rc0 = c, rc1 = next_constant(c);
        const uint8_t omega = (uint8_t)(p[0] >> 1 ^ (0x78 & (0 - (p[0] & 1))));
        const uint32_t y = substitute((uint32_t)p[8] | (uint32_t)p[15] << 8 |
                                      (uint32_t)p[27] << 16 | (uint32_t)p[34] << 24);

        p[37] = omega ^ p[6] ^ p[8] ^ p[12] ^ p[13] ^ p[19] ^ p[24] ^ p[26] ^ p[30] ^ p[31] ^
                wgp(p[36]) ^ rc1;
        p[19] = (uint8_t)(p[19] ^ wgp(p[18]) ^ rc0);
        p[5] ^= (uint8_t)y;
        p[11] ^= (uint8_t)(y >> 8);
        p[24] ^= (uint8_t)(y >> 16);
        p[30] ^= (uint8_t)(y >> 24);
        c = next_constant(rc1);
    }
    for (uint8_t i = 0; i < WAGE_STAGES; i++) {
        s[i] = p[i];
    }
}
