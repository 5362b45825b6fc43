/*
 * AES's round with a table of the S-box for 32-bit cores, with MIXCOLUMNS on all four bytes of a
 * word, on the pairs of blocks of AEGIS-128L.
 *
 * References: FIPS 197 (2001, updated 2023), section 5.1; same names. H. Wu, B. Preneel,
 * "AEGIS: A Fast Authenticated Encryption Algorithm (v1.1)" (2016). A column is a word, row r its
 * byte r from the least significant.
 */
#include "aegis.h"

#include "inline.h"
#include "order.h"
#include "rotate.h"
#include "sbox.h"

void aegis_pack(aegis_pair *pair)
{
    (void)pair;
}

void aegis_unpack(aegis_pair *pair)
{
    (void)pair;
}

/* SUBBYTES of four bytes: row r from column `cr`. */
ALWAYS_INLINE uint32_t sub_column(uint32_t c0, uint32_t c1, uint32_t c2, uint32_t c3)
{
    return (uint32_t)sbox((uint8_t)c0) | (uint32_t)sbox((uint8_t)(c1 >> 8)) << 8 |
           (uint32_t)sbox((uint8_t)(c2 >> 16)) << 16 | (uint32_t)sbox((uint8_t)(c3 >> 24)) << 24;
}

/* MIXCOLUMNS of a column: {02} a ^ {03} b ^ c ^ d for a byte a and the bytes b, c, d below it. */
ALWAYS_INLINE uint32_t mix_column(uint32_t x)
{
    const uint32_t top = x & 0x80808080;
    const uint32_t twice = (x ^ top) << 1 ^ ((top - (top >> 7)) & 0x1b1b1b1b);

    return twice ^ rotr32(x ^ twice ^ rotr32(x ^ rotr32(x, 8), 8), 8);
}

/* sum += AESRound(s, 0). */
NEVER_INLINE void add_round(uint32_t *sum, const uint32_t *s)
{
    const uint32_t s0 = little_endian32(s[0]), s1 = little_endian32(s[1]);
    const uint32_t s2 = little_endian32(s[2]), s3 = little_endian32(s[3]);

    sum[0] ^= little_endian32(mix_column(sub_column(s0, s1, s2, s3)));
    sum[1] ^= little_endian32(mix_column(sub_column(s1, s2, s3, s0)));
    sum[2] ^= little_endian32(mix_column(sub_column(s2, s3, s0, s1)));
    sum[3] ^= little_endian32(mix_column(sub_column(s3, s0, s1, s2)));
}

void aegis_round(aegis_pair *sum, const aegis_pair *from)
{
    add_round(sum->unit, from->unit);
    add_round(sum->unit + 4, from->unit + 4);
}

void aegis_swap(aegis_pair *pair)
{
    for (unsigned i = 0; i < 4; i++) {
        const uint32_t x = pair->unit[i];

        pair->unit[i] = pair->unit[4 + i];
        pair->unit[4 + i] = x;
    }
}
