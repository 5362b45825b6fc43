/*
 * The block cipher Saturnin, bitsliced, in words of 32 bits, with rounds unrolled.
 *
 * References: A. Canteaut, S. Duval, G. Leurent, M. Naya-Plasencia, L. Perrin, T. Pornin, A.
 * Schrottenloher, "Saturnin" (submission to NIST's lightweight cryptography project, round 2,
 * 2019), section 2; same names.
 *
 * Words are as in ../layers.h. The round constants are a table.
 */
#include "saturnin.h"

#include "bytes.h"
#include "constants.h"
#include "layers.h"

/* sigma on four words: b, c, d, a are sigma_0 of a, b, c, d, and d, b, a, c are sigma_1. */
#define SIGMA(a, b, c, d)                                                                          \
    do {                                                                                           \
        a ^= b & c;                                                                                \
        b ^= a | d;                                                                                \
        d ^= b | c;                                                                                \
        c ^= b & d;                                                                                \
        b ^= a | c;                                                                                \
        a ^= b | d;                                                                                \
    } while (0)

/* The S-boxes; the words are renamed by their order in MDS. */
ALWAYS_INLINE void substitute(uint32_t x[8])
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
ALWAYS_INLINE void mix(uint32_t x[8])
{
    uint32_t x0 = x[0], x1 = x[1], x2 = x[2], x3 = x[3];
    uint32_t x4 = x[4], x5 = x[5], x6 = x[6], x7 = x[7];
    uint32_t t;

    x0 ^= x4; /* A += B, C += D */
    x1 ^= x5;
    x2 ^= x6;
    x3 ^= x7;
    t = x4 ^ x5; /* B and D times alpha, and B += C, D += A */
    x4 = x5 ^ rotl32(x0, 16);
    x5 = x6 ^ rotl32(x1, 16);
    x6 = x7 ^ rotl32(x2, 16);
    x7 = t ^ rotl32(x3, 16);
    t = x0 ^ x1; /* A and C times alpha^2, and A += B, C += D */
    x0 = x2 ^ x4;
    x2 ^= x1;
    x1 = x3 ^ x5;
    x3 = x2 ^ x7;
    x2 = t ^ x6;
    x[0] = x0;
    x[1] = x1;
    x[2] = x2;
    x[3] = x3;
    x[4] = x4 ^ rotl32(x0, 16);
    x[5] = x5 ^ rotl32(x1, 16);
    x[6] = x6 ^ rotl32(x2, 16);
    x[7] = x7 ^ rotl32(x3, 16);
}

void saturnin_encrypt(uint8_t *block, const uint8_t *key, uint8_t rounds, uint8_t domain)
{
    const uint32_t *constant = constants_of(rounds, domain);
    uint32_t x[8], k[8], rotated[8];

    for (uint8_t i = 0; i < 8; i++) {
        const uint32_t y = load(key, i);

        k[i] = y;
        rotated[i] = (y & UINT32_C(0x001f001f)) << 11 | (y >> 5 & UINT32_C(0x07ff07ff));
        x[i] = load(block, i) ^ y;
    }
    for (; rounds != 0; rounds = (uint8_t)(rounds - 2)) {
        substitute(x);
        mix(x);
        substitute(x);
        rotate_slices(x);
        mix(x);
        rotate_slices_back(x);
        x[0] ^= flash_u32(constant);
        for (uint8_t i = 0; i < 8; i++) {
            x[i] ^= rotated[i];
        }
        substitute(x);
        mix(x);
        substitute(x);
        rotate_sheets(x);
        mix(x);
        rotate_sheets_back(x);
        x[0] ^= flash_u32(constant + 1);
        for (uint8_t i = 0; i < 8; i++) {
            x[i] ^= k[i];
        }
        constant += 2;
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
