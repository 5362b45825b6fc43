/*
 * The inverse of the block cipher Saturnin, bitsliced, in words of 32 bits, with rounds unrolled.
 *
 * References: A. Canteaut, S. Duval, G. Leurent, M. Naya-Plasencia, L. Perrin, T. Pornin, A.
 * Schrottenloher, "Saturnin" (submission to NIST's lightweight cryptography project, round 2,
 * 2019), section 2; same names.
 *
 * Words are as in ../layers.h. The round constants are a table.
 */
#include "saturnin.h"

#include "constants.h"
#include "layers.h"

/* The inverse of sigma, its steps in reverse order. */
#define SIGMA_BACK(a, b, c, d)                                                                     \
    do {                                                                                           \
        a ^= b | d;                                                                                \
        b ^= a | c;                                                                                \
        c ^= b & d;                                                                                \
        d ^= b | c;                                                                                \
        b ^= a | d;                                                                                \
        a ^= b & c;                                                                                \
    } while (0)

/* The inverse S-boxes; the words are in MDS's order before and in their own order after. */
ALWAYS_INLINE void substitute_back(uint32_t x[8])
{
    uint32_t b = x[0], c = x[1], d = x[2], a = x[3];

    SIGMA_BACK(a, b, c, d);
    x[0] = a;
    x[1] = b;
    x[2] = c;
    x[3] = d;
    d = x[4];
    b = x[5];
    a = x[6];
    c = x[7];
    SIGMA_BACK(a, b, c, d);
    x[4] = a;
    x[5] = b;
    x[6] = c;
    x[7] = d;
}

/* The inverse of the matrix MDS. */
ALWAYS_INLINE void mix_back(uint32_t x[8])
{
    uint32_t x0 = x[0], x1 = x[1], x2 = x[2], x3 = x[3];
    uint32_t x4, x5, x6, x7, t;

    x4 = x[4] ^ rotl32(x0, 16); /* B += C, D += A */
    x5 = x[5] ^ rotl32(x1, 16);
    x6 = x[6] ^ rotl32(x2, 16);
    x7 = x[7] ^ rotl32(x3, 16);
    t = x2 ^ x6; /* A += B, C += D, and A and C divided by alpha^2 */
    x2 = x0 ^ x4;
    x0 = x3 ^ x7;
    x3 = x1 ^ x5;
    x1 = x0 ^ x2;
    x0 = t ^ x1;
    x4 ^= rotl32(x0, 16); /* B += C, D += A, and B and D divided by alpha */
    x5 ^= rotl32(x1, 16);
    x6 ^= rotl32(x2, 16);
    t = x7 ^ rotl32(x3, 16) ^ x4;
    x7 = x6;
    x6 = x5;
    x5 = x4;
    x4 = t;
    x[0] = x0 ^ x4; /* A += B, C += D */
    x[1] = x1 ^ x5;
    x[2] = x2 ^ x6;
    x[3] = x3 ^ x7;
    x[4] = x4;
    x[5] = x5;
    x[6] = x6;
    x[7] = x7;
}

void saturnin_decrypt(uint8_t *block, const uint8_t *key, uint8_t rounds, uint8_t domain)
{
    const uint32_t *constant = constants_of(rounds, domain) + rounds;
    uint32_t x[8], k[8], rotated[8];

    for (uint8_t i = 0; i < 8; i++) {
        const uint32_t y = load(key, i);

        k[i] = y;
        rotated[i] = (y & UINT32_C(0x001f001f)) << 11 | (y >> 5 & UINT32_C(0x07ff07ff));
        x[i] = load(block, i);
    }
    for (; rounds != 0; rounds = (uint8_t)(rounds - 2)) {
        constant -= 2;
        for (uint8_t i = 0; i < 8; i++) {
            x[i] ^= k[i];
        }
        x[0] ^= flash_u32(constant + 1);
        rotate_sheets(x);
        mix_back(x);
        rotate_sheets_back(x);
        substitute_back(x);
        mix_back(x);
        substitute_back(x);
        for (uint8_t i = 0; i < 8; i++) {
            x[i] ^= rotated[i];
        }
        x[0] ^= flash_u32(constant);
        rotate_slices(x);
        mix_back(x);
        rotate_slices_back(x);
        substitute_back(x);
        mix_back(x);
        substitute_back(x);
    }
    for (uint8_t i = 0; i < 8; i++) {
        const uint32_t y = x[i] ^ k[i];

        block[2 * i] = (uint8_t)y;
        block[2 * i + 1] = (uint8_t)(y >> 8);
        block[2 * i + 16] = (uint8_t)(y >> 16);
        block[2 * i + 17] = (uint8_t)(y >> 24);
    }
}
