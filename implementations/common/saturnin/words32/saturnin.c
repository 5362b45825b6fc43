/*
 * The block cipher Saturnin, bitsliced, in words of 32 bits, rounds written out.
 *
 * References: A. Canteaut, S. Duval, G. Leurent, M. Naya-Plasencia, L. Perrin, T. Pornin, A.
 * Schrottenloher, "Saturnin" (submission to NIST's lightweight cryptography project, round 2,
 * 2019), section 2; names as there.
 *
 * Words are as in ../saturnin.c. The round constants are a table, for the domains 1 to 5 of 10
 * super-rounds and 7 and 8 of 16.
 */
#include "saturnin.h"

#include "bytes.h"
#include "flash.h"
#include "inline.h"
#include "rotate.h"

/* clang-format off */
static const uint32_t constants_10[50] IN_FLASH = {
    0x4eb026c2, 0x90595303, 0xaa8fe632, 0xfe928a92, 0x4115a419, 0x93539532, 0x5db1cc4e,
    0x541515ca, 0xbd1f55a8, 0x5a6e1a0d, 0x4e4526b5, 0xa3565ff0, 0x0f8f20d8, 0x0b54bee1,
    0x7d1a6c9d, 0x17a6280a, 0xaa46c986, 0xc1199062, 0x182c5cde, 0xa00d53fe, 0x4e162698,
    0xb2535ba1, 0x6c8f9d65, 0x5816ad30, 0x691fd4fa, 0x6bf5bcf9, 0xf8eb3525, 0xb21decfa,
    0x7b3da417, 0xf62c94b4, 0x4faf265b, 0xc5484616, 0x45dcad21, 0xe08bd607, 0x0504fdb8,
    0x1e1f5257, 0x45fbc216, 0xeb529b1f, 0x52194e32, 0x5498c018, 0x4ffc2676, 0xd44d4247,
    0x26dc109c, 0xb3c9c5d6, 0x110145df, 0x624cc6a4, 0x17563eb5, 0x9856e787, 0x3108b6fb,
    0x02b90752,
};
static const uint32_t constants_16[32] IN_FLASH = {
    0x3fba180c, 0x563ab9ab, 0x125ea5ef, 0x859da26c, 0xb8cf779b, 0x7d4de793, 0x07efb49f,
    0x8d525306, 0x1e08e6ab, 0x41729f87, 0x8c4aef0a, 0x4aa0c9a7, 0xd93a95ef, 0xbb00d2af,
    0xb62c5bf0, 0x386d94d8, 0x3c9b19a7, 0xa9098694, 0x23f878da, 0xa7b647d3, 0x74fc9d78,
    0xeacaae11, 0x2f31a677, 0x4cc8c054, 0x2f51ca05, 0x5268f195, 0x4f5b8a2b, 0xf614b4ac,
    0xf1d95401, 0x764d2568, 0x6a493611, 0x8eef9c3e,
};
/* clang-format on */

/* sigma on four words: b, c, d, a are what sigma_0 makes of a, b, c, d, and d, b, a, c sigma_1. */
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

/* SR_slice, or its inverse: cells of 4 bits in B rotated by 1 (3), in C by 2, in D by 3 (1). */
ALWAYS_INLINE void rotate_slices(uint32_t x[8])
{
    for (uint8_t i = 0; i < 4; i++) {
        uint32_t y = x[i];

        x[i] = (y & UINT32_C(0x0000ffff)) | (y & UINT32_C(0x33330000)) << 2 |
               (y >> 2 & UINT32_C(0x33330000));
        y = x[4 + i];
        x[4 + i] = (y & UINT32_C(0x00007777)) << 1 | (y >> 3 & UINT32_C(0x00001111)) |
                   (y & UINT32_C(0x11110000)) << 3 | (y >> 1 & UINT32_C(0x77770000));
    }
}

ALWAYS_INLINE void rotate_slices_back(uint32_t x[8])
{
    for (uint8_t i = 0; i < 4; i++) {
        uint32_t y = x[i];

        x[i] = (y & UINT32_C(0x0000ffff)) | (y & UINT32_C(0x33330000)) << 2 |
               (y >> 2 & UINT32_C(0x33330000));
        y = x[4 + i];
        x[4 + i] = (y & UINT32_C(0x00001111)) << 3 | (y >> 1 & UINT32_C(0x00007777)) |
                   (y & UINT32_C(0x77770000)) << 1 | (y >> 3 & UINT32_C(0x11110000));
    }
}

/* SR_sheet, or its inverse: B rotated by 4 (12), C by 8, D by 12 (4). */
ALWAYS_INLINE void rotate_sheets(uint32_t x[8])
{
    for (uint8_t i = 0; i < 4; i++) {
        uint32_t y = x[i];

        x[i] = (y & UINT32_C(0x0000ffff)) | (y & UINT32_C(0x00ff0000)) << 8 |
               (y >> 8 & UINT32_C(0x00ff0000));
        y = x[4 + i];
        x[4 + i] = (y & UINT32_C(0x00000fff)) << 4 | (y >> 12 & UINT32_C(0x0000000f)) |
                   (y & UINT32_C(0x000f0000)) << 12 | (y >> 4 & UINT32_C(0x0fff0000));
    }
}

ALWAYS_INLINE void rotate_sheets_back(uint32_t x[8])
{
    for (uint8_t i = 0; i < 4; i++) {
        uint32_t y = x[i];

        x[i] = (y & UINT32_C(0x0000ffff)) | (y & UINT32_C(0x00ff0000)) << 8 |
               (y >> 8 & UINT32_C(0x00ff0000));
        y = x[4 + i];
        x[4 + i] = (y & UINT32_C(0x0000000f)) << 12 | (y >> 4 & UINT32_C(0x00000fff)) |
                   (y & UINT32_C(0x0fff0000)) << 4 | (y >> 12 & UINT32_C(0x000f0000));
    }
}

/* Word i of 32 bytes. */
ALWAYS_INLINE uint32_t load(const uint8_t *bytes, uint8_t i)
{
    bytes += 2 * i;
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[16] << 16 |
           (uint32_t)bytes[17] << 24;
}

void saturnin_encrypt(uint8_t *block, const uint8_t *key, uint8_t rounds, uint8_t domain)
{
    const uint32_t *constant =
        rounds == 10 ? constants_10 + 10 * (domain - 1) : constants_16 + 16 * (domain - 7);
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
