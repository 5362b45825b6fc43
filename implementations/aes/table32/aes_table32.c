/*
 * AES with a table of the S-box for 32-bit cores: with MIXCOLUMNS on all four bytes of a word.
 *
 * References: FIPS 197 (2001, updated 2023), sections 5.1 (Cipher), 5.2 (KeyExpansion); same
 * names. A column is a word, row r its byte r from the least significant.
 */
#include "aes.h"

#include "bytes.h"
#include "inline.h"
#include "order.h"
#include "rotate.h"
#include "sbox.h"

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

void aes_expand_key(aes_key *key, const uint8_t *bytes)
{
    uint32_t *w = key->w;
    uint32_t rcon = 1;
    unsigned phase = 0; /* i mod Nk */

    for (unsigned i = 0; i < AES_NK; i++) {
        w[i] = load32_le(bytes + 4 * i);
    }
    for (unsigned i = AES_NK; i < 4 * (AES_NR + 1 + AES_EXTRA_KEYS); i++) {
        uint32_t temp = w[AES_NK - 1];

        if (phase == 0 || (AES_NK > 6 && phase == 4)) {
            temp = sub_column(temp, temp, temp, temp); /* SUBWORD */
        }
        if (phase == 0) {
            temp = rotr32(temp, 8) ^ rcon; /* ROTWORD; it commutes with SUBWORD */
            rcon = rcon << 1 ^ (rcon >> 7) * 0x11b;
        }
        w[AES_NK] = w[0] ^ temp;
        w++;
        if (++phase == AES_NK) {
            phase = 0;
        }
    }
}

void aes_encrypt(const aes_key *key, uint32_t block[4])
{
    const uint32_t *w = key->w;
    uint32_t s0 = little_endian32(block[0]) ^ w[0];
    uint32_t s1 = little_endian32(block[1]) ^ w[1];
    uint32_t s2 = little_endian32(block[2]) ^ w[2];
    uint32_t s3 = little_endian32(block[3]) ^ w[3];

    for (unsigned n = AES_NR;;) {
        uint32_t t0, t1, t2, t3;

        /* SUBBYTES, SHIFTROWS */
        t0 = sub_column(s0, s1, s2, s3);
        t1 = sub_column(s1, s2, s3, s0);
        t2 = sub_column(s2, s3, s0, s1);
        t3 = sub_column(s3, s0, s1, s2);
        w += 4;
        if (--n == 0) { /* the last round has no MIXCOLUMNS */
            block[0] = little_endian32(t0 ^ w[0]);
            block[1] = little_endian32(t1 ^ w[1]);
            block[2] = little_endian32(t2 ^ w[2]);
            block[3] = little_endian32(t3 ^ w[3]);
            return;
        }
        s0 = mix_column(t0) ^ w[0];
        s1 = mix_column(t1) ^ w[1];
        s2 = mix_column(t2) ^ w[2];
        s3 = mix_column(t3) ^ w[3];
    }
}

#if AES_EXTRA_KEYS
void aes_next_key(uint8_t *bytes, const aes_key *key)
{
    for (unsigned c = 0; c < 4; c++) {
        store32_le(bytes + 4 * c, key->w[4 * (AES_NR + 1) + c]);
    }
}
#endif

#if defined(AES_WHOLE_ROUNDS)
void aes_encrypt_whole(const aes_key *key, uint32_t block[4], uint8_t rounds)
{
    const uint32_t *w = key->w;
    uint32_t s0 = little_endian32(block[0]) ^ w[0];
    uint32_t s1 = little_endian32(block[1]) ^ w[1];
    uint32_t s2 = little_endian32(block[2]) ^ w[2];
    uint32_t s3 = little_endian32(block[3]) ^ w[3];

    do {
        const uint32_t t0 = sub_column(s0, s1, s2, s3);
        const uint32_t t1 = sub_column(s1, s2, s3, s0);
        const uint32_t t2 = sub_column(s2, s3, s0, s1);
        const uint32_t t3 = sub_column(s3, s0, s1, s2);

        w = rounds == 1 ? key->w + 4 * AES_NR : w + 4;
        s0 = mix_column(t0) ^ w[0];
        s1 = mix_column(t1) ^ w[1];
        s2 = mix_column(t2) ^ w[2];
        s3 = mix_column(t3) ^ w[3];
    } while (--rounds != 0);
    block[0] = little_endian32(s0);
    block[1] = little_endian32(s1);
    block[2] = little_endian32(s2);
    block[3] = little_endian32(s3);
}
#endif
