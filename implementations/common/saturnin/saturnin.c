/*
 * The block cipher Saturnin, bitsliced, in words of 32 bits.
 *
 * References: A. Canteaut, S. Duval, G. Leurent, M. Naya-Plasencia, L. Perrin, T. Pornin, A.
 * Schrottenloher, "Saturnin" (submission to NIST's lightweight cryptography project, round 2,
 * 2019), section 2; names as there.
 *
 * Word i holds register i in its lower half and register i + 8 in its upper half, so that the lower
 * halves of words 0 to 3 are A, those of words 4 to 7 B, the upper halves C and D.
 */
#include "saturnin.h"

#include "bytes.h"
#include "rotate.h"

/* The S-box sigma on four words; what comes out of it are b, c, d, a in the order of sigma_0, and
 * d, b, a, c in that of sigma_1. */
#define SIGMA(a, b, c, d)                                                                          \
    do {                                                                                           \
        a ^= b & c;                                                                                \
        b ^= a | d;                                                                                \
        d ^= b | c;                                                                                \
        c ^= b & d;                                                                                \
        b ^= a | c;                                                                                \
        a ^= b | d;                                                                                \
    } while (0)

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

/* A += B, C += D; then B += C, D += A. */
static void add_first(uint32_t x[8])
{
    for (uint8_t i = 0; i < 4; i++) {
        x[i] ^= x[4 + i];
    }
}

static void add_second(uint32_t x[8])
{
    for (uint8_t i = 0; i < 4; i++) {
        x[4 + i] ^= rotl32(x[i], 16);
    }
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

/* SR_slice, which rotates cells of 4 bits in B by 1, in C by 2, in D by 3; `back` is its inverse.
 */
static void rotate_slices(uint32_t x[8], uint8_t back)
{
    for (uint8_t i = 0; i < 4; i++) {
        uint32_t y = x[i];

        x[i] = (y & UINT32_C(0x0000ffff)) | (y & UINT32_C(0x33330000)) << 2 |
               (y >> 2 & UINT32_C(0x33330000));
        y = x[4 + i];
        if (back) {
            y = rotl32(y, 16);
        }
        y = (y & UINT32_C(0x7777)) << 1 | (y >> 3 & UINT32_C(0x1111)) |
            (y & UINT32_C(0x11110000)) << 3 | (y >> 1 & UINT32_C(0x77770000));
        if (back) {
            y = rotl32(y, 16);
        }
        x[4 + i] = y;
    }
}

/* SR_sheet, which rotates B by 4, C by 8, D by 12; `back` is its inverse. */
static void rotate_sheets(uint32_t x[8], uint8_t back)
{
    for (uint8_t i = 0; i < 4; i++) {
        uint32_t y = x[i];

        x[i] = (y & UINT32_C(0x0000ffff)) | (y & UINT32_C(0x00ff0000)) << 8 |
               (y >> 8 & UINT32_C(0x00ff0000));
        y = x[4 + i];
        if (back) {
            y = rotl32(y, 16);
        }
        y = (y & UINT32_C(0x0fff)) << 4 | (y >> 12 & UINT32_C(0x000f)) |
            (y & UINT32_C(0x000f0000)) << 12 | (y >> 4 & UINT32_C(0x0fff0000));
        if (back) {
            y = rotl32(y, 16);
        }
        x[4 + i] = y;
    }
}

/* Sixteen steps of the two LFSRs of 16 bits: multiplication by X^16. */
static uint32_t next_constant_0(uint32_t x)
{
    const uint32_t y = x ^ x << 2 ^ x << 3 ^ x << 5;
    const uint32_t over = y >> 16;

    return (y & UINT32_C(0xffff)) ^ over ^ over << 2 ^ over << 3 ^ over << 5;
}

static uint32_t next_constant_1(uint32_t x)
{
    const uint32_t y = x ^ x << 1 ^ x << 4 ^ x << 6;
    const uint32_t over = y >> 16;

    return (y & UINT32_C(0xffff)) ^ over ^ over << 1 ^ over << 4 ^ over << 6;
}

/* Word i of 32 bytes. */
static uint32_t load(const uint8_t *bytes, uint8_t i)
{
    bytes += 2 * i;
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[16] << 16 |
           (uint32_t)bytes[17] << 24;
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
