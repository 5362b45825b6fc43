/*
 * The inverse of SKINNY-128, a row at a time in words of 32 bits.
 *
 * References: "The SKINNY Family" (2016), section 2.3 (see skinny128.h); names as there.
 */
#include "skinny128.h"

#include "bytes.h"
#include "inline.h"
#include "rotate.h"

/* The bits `mask` of all cells. */
#define BITS(mask) (UINT32_C(0x01010101) * (mask))

/* The inverse of the S-box S_8: its permutation of bits, then its steps, the last one first. Each
 * step adds to bits that it does not read. */
ALWAYS_INLINE uint32_t substitute_back(uint32_t x)
{
    x = (x >> 1 & BITS(0x08)) | (x >> 2 & BITS(0x32)) | (x >> 5 & BITS(0x01)) |
        (x << 2 & BITS(0x04)) | (x << 4 & BITS(0x40)) | (x << 6 & BITS(0x80));
    x = ~x;
    x ^= (x >> 5 & x << 1 & BITS(0x04)) | (x >> 1 & x >> 2 & BITS(0x08));
    x ^= (x << 2 & x << 1 & BITS(0x80)) | (x >> 2 & x << 1 & BITS(0x02));
    x ^= (x << 5 & x << 4 & BITS(0x40)) | (x << 5 & x << 1 & BITS(0x20));
    x ^= x >> 2 & x >> 3 & BITS(0x11);
    return ~x;
}

void skinny128_decrypt(const skinny128_schedule *s, const uint8_t *lower, uint8_t *block)
{
    skinny128_rows tk1[SKINNY128_PERIOD];
    uint32_t x0 = load32_le(block), x1 = load32_le(block + 4);
    uint32_t x2 = load32_le(block + 8), x3 = load32_le(block + 12);

    skinny128_expand_tk1(tk1, lower);
    for (unsigned i = SKINNY128_ROUNDS; i-- != 0;) {
        /* MixColumns and ShiftRows. */
        const uint32_t a = x1, c = x1 ^ x3;

        x1 = rotr32(x2 ^ c, 8);
        x3 = rotl32(x0 ^ x3, 8);
        x2 = rotr32(c, 16);
        x0 = a;
        /* AddRoundTweakey and AddConstants. */
        x0 ^= s->sum[i].row[0];
        x1 ^= s->sum[i].row[1];
        x2 ^= 2;
        if ((i & 1) == 0) {
            x0 ^= tk1[i / 2 % SKINNY128_PERIOD].row[0];
            x1 ^= tk1[i / 2 % SKINNY128_PERIOD].row[1];
        }
        /* SubCells. */
        x0 = substitute_back(x0);
        x1 = substitute_back(x1);
        x2 = substitute_back(x2);
        x3 = substitute_back(x3);
    }
    store32_le(block, x0);
    store32_le(block + 4, x1);
    store32_le(block + 8, x2);
    store32_le(block + 12, x3);
}
