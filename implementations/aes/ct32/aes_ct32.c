/*
 * AES in constant time for 32-bit cores: two blocks at a time, in bit planes of 32-bit words.
 *
 * References: FIPS 197 (2001, updated 2023), sections 5.1 (Cipher), 5.2 (KeyExpansion); same
 * names. A. Adomnicai, T. Peyrin, "Fixslicing AES-like Ciphers", TCHES 2021(1): semi-fixslicing.
 *
 * Word q[i] holds bit i of the 32 bytes of two blocks: that of the byte in row r and column c of
 * block b is bit 8r + 2c + b. So moving up a row rotates the word by 8, and moving left a column
 * rotates each of its bytes by 2.
 *
 * SHIFTROWS needs many masks in this form. Semi-fixslicing omits it in every odd round: the state
 * is then SHIFTROWS^-1 of its usual form, to which that round's MIXCOLUMNS and round key are
 * adapted. The next, even round compensates with SHIFTROWS twice, which only exchanges columns two
 * apart in rows 1 and 3.
 *
 * Both blocks use the same round keys, so two planes share a word: w[4n + j] holds planes 2j and 2j
 * + 1 of round key n, in its even and in its odd bits.
 */
#include "aes.h"

#include "bytes.h"
#include "layers.h"
#include "order.h"

typedef uint32_t aes_plane;
#include "sbox_circuit.h"

/* SUBBYTES without {63}, which is in the round keys. */
static void sub_bytes(uint32_t q[8])
{
    sub_bytes_without_63(q);
}

/* SUBWORD of a word whose first byte is the least significant. */
static uint32_t sub_word(uint32_t word)
{
    uint32_t q[8];

    for (unsigned i = 0; i < 8; i++) {
        q[i] = word >> i & 0x01010101;
    }
    sub_bytes(q);
    word = 0x63636363;
    for (unsigned i = 0; i < 8; i++) {
        word ^= q[i] << i;
    }
    return word;
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
        uint32_t temp = w[i - 1];

        if (phase == 0) {
            temp = sub_word(rotr32(temp, 8)) ^ rcon; /* ROTWORD before SUBWORD or after it */
            rcon = rcon << 1 ^ (rcon >> 7) * 0x11b;
        } else if (AES_NK > 6 && phase == 4) {
            temp = sub_word(temp);
        }
        w[i] = w[i - AES_NK] ^ temp;
        if (++phase == AES_NK) {
            phase = 0;
        }
    }
    for (unsigned n = 0; n <= AES_NR; n++) {
        adapt_round_key(w + 4 * n, n, 0x63636363);
    }
}

void aes_encrypt(const aes_key *key, uint32_t blocks[8])
{
    const uint32_t *w = key->w;
    uint32_t q[8];

    for (unsigned c = 0; c < 4; c++) {
        q[2 * c] = little_endian32(blocks[c]);
        q[2 * c + 1] = little_endian32(blocks[4 + c]);
    }
    transpose(q);
    add_round_key(q, w);
    for (;;) {
        sub_bytes(q);
        mix_columns_odd(q, w + 4);
        w += 8;
        sub_bytes(q);
        shift_rows_twice(q);
        if (w == key->w + 4 * AES_NR) { /* the last round has no MIXCOLUMNS */
            break;
        }
        mix_columns_even(q, w);
    }
    add_round_key(q, w);
    transpose(q);
    for (unsigned c = 0; c < 4; c++) {
        blocks[c] = little_endian32(q[2 * c]);
        blocks[4 + c] = little_endian32(q[2 * c + 1]);
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
void aes_encrypt_whole(const aes_key *key, uint32_t blocks[8], uint8_t rounds)
{
    const uint32_t *w = key->w;
    uint32_t q[8];

    for (unsigned c = 0; c < 4; c++) {
        q[2 * c] = little_endian32(blocks[c]);
        q[2 * c + 1] = little_endian32(blocks[4 + c]);
    }
    transpose(q);
    add_round_key(q, w);
    for (; rounds != 0; rounds = (uint8_t)(rounds - 2)) {
        sub_bytes(q);
        mix_columns_odd(q, w + 4);
        w = rounds == 2 ? key->w + 4 * AES_NR : w + 8;
        sub_bytes(q);
        shift_rows_twice(q);
        mix_columns_even(q, w);
    }
    transpose(q);
    for (unsigned c = 0; c < 4; c++) {
        blocks[c] = little_endian32(q[2 * c]);
        blocks[4 + c] = little_endian32(q[2 * c + 1]);
    }
}
#endif
