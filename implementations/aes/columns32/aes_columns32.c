/*
 * AES with a table of columns for 32-bit cores: one look-up and one rotation per byte.
 *
 * References: FIPS 197 (2001, updated 2023), sections 5.1 (Cipher), 5.2 (KeyExpansion); same
 * names. A column is a word, row r its byte r from the least significant.
 */
#include "aes.h"

#include "bytes.h"
#include "columns.h"
#include "inline.h"
#include "order.h"
#include "rotate.h"

/* SUBBYTES, SHIFTROWS and MIXCOLUMNS: row r from column `cr`. The word for a byte is that of the
 * first row, rotated. */
ALWAYS_INLINE uint32_t round_column(uint32_t c0, uint32_t c1, uint32_t c2, uint32_t c3)
{
    uint32_t t = aes_columns[c3 >> 24];

    t = rotr32(t, 24) ^ aes_columns[c2 >> 16 & 0xff];
    t = rotr32(t, 24) ^ aes_columns[c1 >> 8 & 0xff];
    return rotr32(t, 24) ^ aes_columns[c0 & 0xff];
}

/* SUBBYTES and SHIFTROWS. */
ALWAYS_INLINE uint32_t sub_column(uint32_t c0, uint32_t c1, uint32_t c2, uint32_t c3)
{
    return sbox(c0 & 0xff) | (uint32_t)sbox(c1 >> 8 & 0xff) << 8 |
           (uint32_t)sbox(c2 >> 16 & 0xff) << 16 | (uint32_t)sbox(c3 >> 24) << 24;
}

/* KeyExpansion, AES_NK words at a time. */
void aes_expand_key(aes_key *key, const uint8_t *bytes)
{
    uint32_t *w = key->w, *const end = w + 4 * (AES_NR + 1);
    uint32_t temp = 0, rcon = 1;

    for (unsigned i = 0; i < AES_NK; i++) {
        temp = load32_le(bytes + 4 * i);
        w[i] = temp;
    }
    for (;;) {
        /* ROTWORD, SUBWORD and the round constant. */
        temp = rotr32(sub_column(temp, temp, temp, temp), 8) ^ rcon;
        rcon = rcon << 1 ^ (rcon >> 7) * 0x11b;
        for (unsigned i = 0; i < AES_NK; i++) {
            if (i == 4 && AES_NK > 6) {
                temp = sub_column(temp, temp, temp, temp);
            }
            temp ^= w[i];
            w[AES_NK + i] = temp;
            if (w + AES_NK + i + 1 == end) {
                return;
            }
        }
        w += AES_NK;
    }
}

void aes_encrypt(const aes_key *key, uint32_t block[4])
{
    const uint32_t *w = key->w;
    uint32_t s0 = little_endian32(block[0]) ^ w[0];
    uint32_t s1 = little_endian32(block[1]) ^ w[1];
    uint32_t s2 = little_endian32(block[2]) ^ w[2];
    uint32_t s3 = little_endian32(block[3]) ^ w[3];
    uint32_t t0, t1, t2, t3;

    /* Two rounds per iteration. */
    for (unsigned turn = AES_NR / 2;;) {
        t0 = round_column(s0, s1, s2, s3) ^ w[4];
        t1 = round_column(s1, s2, s3, s0) ^ w[5];
        t2 = round_column(s2, s3, s0, s1) ^ w[6];
        t3 = round_column(s3, s0, s1, s2) ^ w[7];
        w += 8;
        if (--turn == 0) {
            break;
        }
        s0 = round_column(t0, t1, t2, t3) ^ w[0];
        s1 = round_column(t1, t2, t3, t0) ^ w[1];
        s2 = round_column(t2, t3, t0, t1) ^ w[2];
        s3 = round_column(t3, t0, t1, t2) ^ w[3];
    }
    /* The last round has no MIXCOLUMNS. */
    block[0] = little_endian32(sub_column(t0, t1, t2, t3) ^ w[0]);
    block[1] = little_endian32(sub_column(t1, t2, t3, t0) ^ w[1]);
    block[2] = little_endian32(sub_column(t2, t3, t0, t1) ^ w[2]);
    block[3] = little_endian32(sub_column(t3, t0, t1, t2) ^ w[3]);
}
