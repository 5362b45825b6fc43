/*
 * The block cipher Saturnin, bitsliced, in words of 32 bits.
 *
 * References: A. Canteaut, S. Duval, G. Leurent, M. Naya-Plasencia, L. Perrin, T. Pornin, A.
 * Schrottenloher, "Saturnin" (submission to NIST's lightweight cryptography project, round 2,
 * 2019), section 2; same names.
 */
#include "saturnin.h"

#include "bytes.h"
#include "layers.h"

/* The S-box sigma on four words; the results are b, c, d, a in the order of sigma_0, and d, b, a, c
 * in that of sigma_1. */
#define SIGMA(a, b, c, d)                                                                          \
    do {                                                                                           \
        a ^= b & c;                                                                                \
        b ^= a | d;                                                                                \
        d ^= b | c;                                                                                \
        c ^= b & d;                                                                                \
        b ^= a | c;                                                                                \
        a ^= b | d;                                                                                \
    } while (0)

/* S: sigma_0 on the first four words and sigma_1 on the others, each with its own output order. */
static void substitute(uint32_t x[8])
{
    uint32_t a = x[0], b = x[1], c = x[2], d = x[3];

    SIGMA(a, b, c, d);
    x[0] = b;
    x[1] = c;
    x[2] = d;
    x[3] = a;
    a = x[4];
    b = x[5];
    c = x[6];
    d = x[7];
    SIGMA(a, b, c, d);
    x[4] = d;
    x[5] = b;
    x[6] = a;
    x[7] = c;
}

/* The matrix MDS. */
static void mix(uint32_t x[8])
{
    uint32_t t0, t1;

    add_first(x);
    t0 = x[4];
    x[4] = x[5]; /* B and D times alpha */
    x[5] = x[6];
    x[6] = x[7];
    x[7] = t0 ^ x[4];
    add_second(x);
    t0 = x[0] ^ x[1]; /* A and C times alpha^2 */
    t1 = x[1] ^ x[2];
    x[0] = x[2];
    x[1] = x[3];
    x[2] = t0;
    x[3] = t1;
    add_first(x);
    add_second(x);
}

void saturnin_encrypt(uint8_t *block, const uint8_t *key, uint8_t rounds, uint8_t domain)
{
    uint32_t x[8], k[8];
    uint32_t rc0 = UINT32_C(0xfe00) | (unsigned)rounds << 4 | domain, rc1 = rc0;

    for (uint8_t i = 0; i < 8; i++) {
        k[i] = load(key, i);
        x[i] = load(block, i) ^ k[i];
    }
    for (uint8_t round = 0; round < rounds; round++) {
        const uint8_t odd = round & 1;

        substitute(x);
        mix(x);
        substitute(x);
        if (odd) {
            rotate_sheets(x, 0);
            mix(x);
            rotate_sheets(x, 1);
        } else {
            rotate_slices(x, 0);
            mix(x);
            rotate_slices(x, 1);
        }
        rc0 = next_constant_0(rc0);
        rc1 = next_constant_1(rc1);
        x[0] ^= rc0 | rc1 << 16;
        for (uint8_t i = 0; i < 8; i++) {
            uint32_t y = k[i];

            if (!odd) { /* each half rotated by 11 */
                y = (y & UINT32_C(0x001f001f)) << 11 | (y >> 5 & UINT32_C(0x07ff07ff));
            }
            x[i] ^= y;
        }
    }
    for (uint8_t i = 0; i < 8; i++) {
        block[2 * i] = (uint8_t)x[i];
        block[2 * i + 1] = (uint8_t)(x[i] >> 8);
        block[2 * i + 16] = (uint8_t)(x[i] >> 16);
        block[2 * i + 17] = (uint8_t)(x[i] >> 24);
    }
}

void saturnin_compress(uint8_t *key, const uint8_t *block, uint8_t rounds, uint8_t domain)
{
    uint8_t next[SATURNIN_BYTES];

    copy_bytes(next, block, SATURNIN_BYTES);
    saturnin_encrypt(next, key, rounds, domain);
    for (uint8_t i = 0; i < SATURNIN_BYTES; i++) {
        key[i] = next[i] ^ block[i];
    }
}
