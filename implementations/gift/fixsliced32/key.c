/*
 * GIFT-128's key schedule, in the arrangements of bits of the fixsliced rounds.
 *
 * References: S. Banik et al., "GIFT-COFB v1.1" (2021), chapter 2; A. Adomnicai, Z. Najm,
 * T. Peyrin, "Fixslicing: A New GIFT Representation" (TCHES 2020), section 3.
 *
 * Every pair of words of the key state is used twice, two rounds apart, and is used again ten
 * rounds after its first use, updated two or three times. These updates are computed after the bits
 * have been arranged.
 */
#include "gift128.h"

#include "bits.h"
#include "bytes.h"
#include "rotate.h"
#include "unroll.h"

/* The update of W_6 || W_7 in the order of the specification: W_6 >>> 2 || W_7 >>> 12. */
static inline uint32_t update(uint32_t x)
{
    return (x >> 2 & UINT32_C(0x3fff0000)) | (x << 14 & UINT32_C(0xc0000000)) |
           (x << 4 & UINT32_C(0x0000fff0)) | (x >> 12 & UINT32_C(0x0000000f));
}

/* Converts the specification's order to the arrangement after the first of five rounds. */
static inline uint32_t arrange_1(uint32_t x)
{
    x = swap_bits(x, UINT32_C(0x000000ff), 24);
    x = swap_bits(x, UINT32_C(0x0000f0f0), 12);
    x = swap_bits(x, UINT32_C(0x00cc00cc), 6);
    return swap_bits(x, UINT32_C(0x0a0a0a0a), 3);
}

/* The same, after the second. */
static inline uint32_t arrange_2(uint32_t x)
{
    x = swap_bits(x, UINT32_C(0x000000ff), 24);
    x = swap_bits(x, UINT32_C(0x0000f0f0), 12);
    x = swap_bits(x, UINT32_C(0x00003333), 18);
    return swap_bits(x, UINT32_C(0x0000aaaa), 15);
}

/* The same, after the third. */
static inline uint32_t arrange_3(uint32_t x)
{
    x = swap_bits(x, UINT32_C(0x000000ff), 24);
    x = swap_bits(x, UINT32_C(0x000f000f), 12);
    x = swap_bits(x, UINT32_C(0x03030303), 6);
    return swap_bits(x, UINT32_C(0x11111111), 3);
}

/* The same, after the fourth. */
static inline uint32_t arrange_4(uint32_t x)
{
    x = swap_bits(x, UINT32_C(0x000000ff), 24);
    x = swap_bits(x, UINT32_C(0x000f000f), 12);
    x = swap_bits(x, UINT32_C(0x00003333), 18);
    return swap_bits(x, UINT32_C(0x00550055), 9);
}

/* Two updates in the order of the specification. */
static inline uint32_t twice_0(uint32_t x)
{
    return (x >> 4 & UINT32_C(0x0fff0000)) | (x << 12 & UINT32_C(0xf0000000)) |
           (x >> 8 & UINT32_C(0x000000ff)) | (x << 8 & UINT32_C(0x0000ff00));
}

/* Three updates in the same arrangement. */
static inline uint32_t thrice_0(uint32_t x)
{
    return (x >> 6 & UINT32_C(0x03ff0000)) | (x << 10 & UINT32_C(0xfc000000)) |
           (x >> 4 & UINT32_C(0x00000fff)) | (x << 12 & UINT32_C(0x0000f000));
}

/* Two updates in the arrangement of arrange_1. */
static inline uint32_t twice_1(uint32_t x)
{
    return (x >> 1 & UINT32_C(0x44444444)) | (x << 1 & UINT32_C(0x88888888)) |
           (x << 17 & UINT32_C(0x22220000)) | (x << 15 & UINT32_C(0x11110000)) |
           (x >> 16 & UINT32_C(0x00003333));
}

/* Three updates in the same arrangement. */
static inline uint32_t thrice_1(uint32_t x)
{
    return (x << 17 & UINT32_C(0x88880000)) | (x << 15 & UINT32_C(0x44440000)) |
           (x << 9 & UINT32_C(0x22222200)) | (x << 7 & UINT32_C(0x11111100)) |
           (x >> 16 & UINT32_C(0x0000cccc)) | (x >> 24 & UINT32_C(0x00000033));
}

/* Two updates in the arrangement of arrange_2. */
static inline uint32_t twice_2(uint32_t x)
{
    return (x << 4 & UINT32_C(0xf000f000)) | (x << 2 & UINT32_C(0x00fc00fc)) |
           (x >> 4 & UINT32_C(0x0f000f00)) | (x >> 6 & UINT32_C(0x00030003));
}

/* Three updates in the same arrangement. */
static inline uint32_t thrice_2(uint32_t x)
{
    return (x << 3 & UINT32_C(0x00f800f8)) | (x << 2 & UINT32_C(0xfc00fc00)) |
           (x >> 5 & UINT32_C(0x00070007)) | (x >> 6 & UINT32_C(0x03000300));
}

/* Two updates in the arrangement of arrange_3. */
static inline uint32_t twice_3(uint32_t x)
{
    return (rotr32(x, 16) & UINT32_C(0x55555555)) | (rotr32(x, 24) & UINT32_C(0xaaaaaaaa));
}

/* Three updates in the same arrangement. */
static inline uint32_t thrice_3(uint32_t x)
{
    return (rotr32(x, 24) & UINT32_C(0x55555555)) | (rotr32(x, 20) & UINT32_C(0xaaaaaaaa));
}

/* Two updates in the arrangement of arrange_4. */
static inline uint32_t twice_4(uint32_t x)
{
    return (x << 3 & UINT32_C(0x80808080)) | (x << 2 & UINT32_C(0x0c0c0c0c)) |
           (x >> 1 & UINT32_C(0x70707070)) | (x >> 2 & UINT32_C(0x03030303));
}

/* Three updates in the same arrangement. */
static inline uint32_t thrice_4(uint32_t x)
{
    return (x << 19 & UINT32_C(0x80800000)) | (x << 15 & UINT32_C(0x70700000)) |
           (x << 3 & UINT32_C(0x08080808)) | (x >> 1 & UINT32_C(0x07070707)) |
           (x >> 14 & UINT32_C(0x0000c0c0)) | (x >> 18 & UINT32_C(0x00003030));
}

/* From the words of two rounds, five rounds apart, at `first` those of the other six of their
 * arrangement. */
#define EXPAND(first, twice, thrice)                                                               \
    do {                                                                                           \
        k = (first);                                                                               \
        UNROLL                                                                                     \
        for (unsigned i = 0; i < 6; i++) {                                                         \
            k[20] = twice(k[1]);                                                                   \
            k[21] = thrice(k[0]);                                                                  \
            k += 10;                                                                               \
        }                                                                                          \
    } while (0)

void gift128_set_key(gift128_key *key, const uint8_t *bytes)
{
    uint32_t k0 = ~load32_be(bytes), k1 = ~load32_be(bytes + 4);
    uint32_t k2 = ~load32_be(bytes + 8), k3 = ~load32_be(bytes + 12);
    uint32_t *k = key->round;

    for (; k != key->round + 20; k += 2) {
        const uint32_t updated = update(k3);

        k[0] = k3;
        k[1] = k1;
        k3 = k2;
        k2 = k1;
        k1 = k0;
        k0 = updated;
    }
    for (k = key->round; k != key->round + 20; k += 10) {
        for (unsigned i = 0; i < 2; i++) {
            k[i] = arrange_1(k[i]);
            k[2 + i] = arrange_2(k[2 + i]);
            k[4 + i] = arrange_3(k[4 + i]);
            k[6 + i] = arrange_4(k[6 + i]);
        }
    }
    EXPAND(key->round, twice_1, thrice_1);
    EXPAND(key->round + 2, twice_2, thrice_2);
    EXPAND(key->round + 4, twice_3, thrice_3);
    EXPAND(key->round + 6, twice_4, thrice_4);
    EXPAND(key->round + 8, twice_0, thrice_0);
}
