/*
 * SKINNY-128 in eight slices of 16 bits.
 *
 * References: "The SKINNY Family" (2016), section 2 (see skinny128.h), names as there.
 *
 * Slices are kept inverted, so that a NOR becomes an AND.
 */
#include "skinny128.h"

#include "inline.h"
#include "keep.h"

/* A byte whose halves are exchanged. */
#define ROTATE(x) (uint8_t)((x) << 4 | (x) >> 4)

/* ShiftRows and MixColumns on a slice, inverted before and after: row 0 gives rows 0, 1 and 3, row
 * 1 gives row 2, row 2 rows 0, 2 and 3, row 3 row 0. The sums of two inverted rows are inverted
 * once more. */
#if defined(__AVR__)
/* Makes two bytes with a half of `x` twice each: of `x` the lower one, of `y` the upper one. */
#define TWICE(x, y)                                                                                \
    do {                                                                                           \
        uint8_t difference;                                                                        \
        (y) = ROTATE(x);                                                                           \
        difference = ((x) ^ (y)) & 0xf0;                                                           \
        (x) ^= difference;                                                                         \
        (y) ^= difference;                                                                         \
    } while (0)

/* The same by bytes, of which each has two rows. */
ALWAYS_INLINE uint16_t mix(uint16_t slice)
{
    union {
        uint16_t slice;
        struct {
            uint8_t lower, upper;
        } rows;
    } x;
    uint8_t row0, row1, row2, row3; /* each twice */

    x.slice = slice;
    row0 = x.rows.lower;
    row2 = x.rows.upper;
    TWICE(row0, row1);
    row1 = (uint8_t)(row1 << 1 | row1 >> 7);
    TWICE(row2, row3);
    row2 = (uint8_t)(row2 << 2 | row2 >> 6);
    row3 = (uint8_t)(row3 << 7 | row3 >> 1);
    row3 ^= row2;
    KEEP(row3);
    x.rows.lower = (uint8_t)((row3 & 0x0f) ^ row0);
    row1 ^= row0;
    KEEP(row1);
    row2 = (uint8_t)(~row2 ^ row0);
    x.rows.upper = (uint8_t)(row2 ^ (row1 & 0x0f));
    return x.slice;
}
#else
/* The same for any core. */
ALWAYS_INLINE uint16_t mix(uint16_t slice)
{
    uint16_t shifted = slice & 0x000f, left = slice, right = slice, exchanged, sums;

    left <<= 1;
    shifted |= left & 0x00e0;
    KEEP(left); /* else each shift begins anew */
    left <<= 1;
    shifted |= left & 0x0c00;
    KEEP(left);
    left <<= 1;
    shifted |= left & 0x8000;
    right >>= 1;
    shifted |= right & 0x7000;
    KEEP(right);
    right >>= 1;
    shifted |= right & 0x0300;
    KEEP(right);
    right >>= 1;
    shifted |= right & 0x0010;
    exchanged = (uint16_t)(shifted << 8 | shifted >> 8); /* rows 2, 3, 0 and 1 */
    sums = shifted ^ exchanged;
    return (uint16_t)(exchanged >> 4 ^ (sums & 0x000f) ^ (shifted & 0x0f00) ^ (sums & 0x0f00) << 4 ^
                      0xff00);
}
#endif

/* SubCells. Its eight steps x_a ^= ~(x_b | x_c) are, without the permutations between them, on bits
 * 4 7 6, 0 3 2, 6 2 1, 5 4 0, 1 0 3, 7 6 5, 3 5 4 and 2 1 7; then bits 5, 4, 0, 3, 1, 6, 7, 2
 * become bits 7 to 0, which ROUND sees to. */
#define SUB_CELLS()                                                                                \
    do {                                                                                           \
        x4 ^= x7 & x6;                                                                             \
        x0 ^= x3 & x2;                                                                             \
        x6 ^= x2 & x1;                                                                             \
        x5 ^= x4 & x0;                                                                             \
        x1 ^= x0 & x3;                                                                             \
        x7 ^= x6 & x5;                                                                             \
        x3 ^= x5 & x4;                                                                             \
        x2 ^= x1 & x7;                                                                             \
    } while (0)

/* A round; TWEAKEY(b) is slice b of what it adds to rows 0 and 1. The constant in row 2 is here. */
#define ROUND(TWEAKEY)                                                                             \
    do {                                                                                           \
        uint16_t t;                                                                                \
        SUB_CELLS();                                                                               \
        t = mix(x5 ^ TWEAKEY(7));                                                                  \
        x5 = mix(x0 ^ TWEAKEY(5));                                                                 \
        x0 = mix(x2 ^ TWEAKEY(0));                                                                 \
        x2 = mix(x6 ^ TWEAKEY(2));                                                                 \
        x6 = mix(x4 ^ TWEAKEY(6));                                                                 \
        x4 = mix(x3 ^ TWEAKEY(4));                                                                 \
        x3 = mix(x1 ^ TWEAKEY(3));                                                                 \
        x1 = mix(x7 ^ TWEAKEY(1) ^ 0x0100);                                                        \
        x7 = t;                                                                                    \
    } while (0)

#define EVEN(b) (sum[b] ^ even[b])
#define ODD(b) sum[8 + (b)]

/* Slices of the bytes `lower` and `upper`, inverted, and the way back. */
#define LOAD(b) (uint16_t)~(block[b] | (unsigned)block[8 + (b)] << 8)
#define STORE(b, slice)                                                                            \
    do {                                                                                           \
        block[b] = (uint8_t)~(slice);                                                              \
        block[8 + (b)] = (uint8_t)(~(unsigned)(slice) >> 8);                                       \
    } while (0)

/* The rounds on the slices in `block`: 8 bytes for rows 0 and 1, and 8 for rows 2 and 3. Adds `sum`
 * and, in even rounds, `tk1`. */
NEVER_INLINE void rounds(uint8_t *block, const uint8_t *sum, const uint8_t *tk1)
{
    uint16_t x0 = LOAD(0), x1 = LOAD(1), x2 = LOAD(2), x3 = LOAD(3);
    uint16_t x4 = LOAD(4), x5 = LOAD(5), x6 = LOAD(6), x7 = LOAD(7);

    for (uint8_t i = 0; i < SKINNY128_ROUNDS / 2; i++) {
        const uint8_t *even = tk1 + (i & (SKINNY128_PERIOD - 1)) * 8u;

        KEEP_POINTER(sum);
        KEEP_POINTER(even);
        ROUND(EVEN);
        KEEP_POINTER(sum);
        ROUND(ODD);
        sum += 16;
    }
    STORE(0, x0);
    STORE(1, x1);
    STORE(2, x2);
    STORE(3, x3);
    STORE(4, x4);
    STORE(5, x5);
    STORE(6, x6);
    STORE(7, x7);
}

void skinny128_encrypt(const skinny128_schedule *s, const uint8_t *lower, uint8_t *block)
{
    skinny128_half tk1[SKINNY128_PERIOD];

    skinny128_expand_tk1(tk1, lower);
    skinny128_transpose(block, block);
    skinny128_transpose(block + 8, block + 8);
    rounds(block, s->sum[0].slice, tk1[0].slice);
    skinny128_transpose(block, block);
    skinny128_transpose(block + 8, block + 8);
}
