/*
 * The inverse of the block cipher Saturnin, bitsliced, in words of 32 bits.
 *
 * References: A. Canteaut, S. Duval, G. Leurent, M. Naya-Plasencia, L. Perrin, T. Pornin, A.
 * Schrottenloher, "Saturnin" (submission to NIST's lightweight cryptography project, round 2,
 * 2019), section 2; same names.
 *
 * Words are as in layers.h.
 */
#include "saturnin.h"

#include "layers.h"

enum { MOST_ROUNDS = 16 };

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

/* S's inverse. */
static void substitute_back(uint32_t x[8])
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
static void mix_back(uint32_t x[8])
{
    uint32_t t0, t1;

    add_second(x);
    add_first(x);
    t0 = x[2]; /* A and C divided by alpha^2 */
    t1 = x[3];
    x[2] = x[0];
    x[3] = x[1];
    x[1] = t1 ^ x[2];
    x[0] = t0 ^ x[1];
    add_second(x);
    t0 = x[7] ^ x[4]; /* B and D divided by alpha */
    x[7] = x[6];
    x[6] = x[5];
    x[5] = x[4];
    x[4] = t0;
    add_first(x);
}

void saturnin_decrypt(uint8_t *block, const uint8_t *key, uint8_t rounds, uint8_t domain)
{
    uint32_t x[8], k[8], constants[MOST_ROUNDS];
    uint32_t rc0 = UINT32_C(0xfe00) | (unsigned)rounds << 4 | domain, rc1 = rc0;

    for (uint8_t i = 0; i < 8; i++) {
        k[i] = load(key, i);
        x[i] = load(block, i);
    }
    for (uint8_t round = 0; round < rounds; round++) {
        rc0 = next_constant_0(rc0);
        rc1 = next_constant_1(rc1);
        constants[round] = rc0 | rc1 << 16;
    }
    for (uint8_t round = rounds; round-- != 0;) {
        const uint8_t odd = round & 1;

        for (uint8_t i = 0; i < 8; i++) {
            uint32_t y = k[i];

            if (!odd) { /* each half rotated by 11 */
                y = (y & UINT32_C(0x001f001f)) << 11 | (y >> 5 & UINT32_C(0x07ff07ff));
            }
            x[i] ^= y;
        }
        x[0] ^= constants[round];
        if (odd) {
            rotate_sheets(x, 0);
            mix_back(x);
            rotate_sheets(x, 1);
        } else {
            rotate_slices(x, 0);
            mix_back(x);
            rotate_slices(x, 1);
        }
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
