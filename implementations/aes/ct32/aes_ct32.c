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
#include "inline.h"
#include "order.h"
#include "planes.h"
#include "rotate.h"

typedef uint32_t aes_plane;
#include "sbox_circuit.h"

#define EVEN_BITS 0x55555555u
#define ODD_BITS 0xaaaaaaaau

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

/* Converts the four words of round key n, columns first, to the form that the rounds add: {63}
 * added (not to the first), SHIFTROWS^-1 applied (for odd rounds), in bit planes. */
static void adapt_round_key(uint32_t w[4], unsigned n)
{
    if (n & 1) {
        const uint32_t w0 = w[0], w1 = w[1], w2 = w[2], w3 = w[3];
        const uint32_t rows02 = 0x00ff00ff, rows13 = 0xff00ff00;
        /* Rows 2 and 3 by two columns, then rows 1 and 3 by one. */
        const uint32_t v0 = (w0 & 0x0000ffff) | (w2 & 0xffff0000);
        const uint32_t v1 = (w1 & 0x0000ffff) | (w3 & 0xffff0000);
        const uint32_t v2 = (w2 & 0x0000ffff) | (w0 & 0xffff0000);
        const uint32_t v3 = (w3 & 0x0000ffff) | (w1 & 0xffff0000);
        w[0] = (v0 & rows02) | (v3 & rows13);
        w[1] = (v1 & rows02) | (v0 & rows13);
        w[2] = (v2 & rows02) | (v1 & rows13);
        w[3] = (v3 & rows02) | (v2 & rows13);
    }
    if (n != 0) {
        for (unsigned c = 0; c < 4; c++) {
            w[c] ^= 0x63636363;
        }
    }
    /* Transposes four by four fields of two bits in each byte. */
    exchange(&w[0], &w[1], 0x33333333, 2);
    exchange(&w[2], &w[3], 0x33333333, 2);
    exchange(&w[0], &w[2], 0x0f0f0f0f, 4);
    exchange(&w[1], &w[3], 0x0f0f0f0f, 4);
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
        adapt_round_key(w + 4 * n, n);
    }
}

/* The bits that the word `w` of a round key adds to plane 2j. */
static inline uint32_t even_plane(uint32_t w)
{
    w &= EVEN_BITS;
    return w | w << 1;
}

/* The bits that the word `w` of a round key adds to plane 2j + 1. */
static inline uint32_t odd_plane(uint32_t w)
{
    w &= ODD_BITS;
    return w | w >> 1;
}

/* ADDROUNDKEY. */
static void add_round_key(uint32_t q[8], const uint32_t w[4])
{
    for (unsigned j = 0; j < 4; j++) {
        q[2 * j] ^= even_plane(w[j]);
        q[2 * j + 1] ^= odd_plane(w[j]);
    }
}

/* SHIFTROWS twice: exchanges columns 0, 2 and 1, 3 in rows 1 and 3. */
static void shift_rows_twice(uint32_t q[8])
{
    for (unsigned i = 0; i < 8; i++) {
        const uint32_t t = (q[i] ^ q[i] >> 4) & 0x0f000f00;
        q[i] ^= t ^ t << 4;
    }
}

/* Each byte of `x` rotated right by n bits; `low` has the 8 - n low bits of each byte set. */
static inline uint32_t rotate_bytes(uint32_t x, unsigned n, uint32_t low)
{
    return (x >> n & low) | (x << (8 - n) & ~low);
}

/* For each column, the byte one or two rows below: in even rounds, and in odd rounds, where a byte
 * is one column further right for each row further down. */
#define BELOW_EVEN(x) rotr32(x, 8)
#define BELOW_ODD(x) rotate_bytes(rotr32(x, 8), 2, 0x3f3f3f3f)
#define TWO_BELOW_EVEN(x) rotr32(x, 16)
#define TWO_BELOW_ODD(x) rotate_bytes(rotr32(x, 16), 4, 0x0f0f0f0f)

/*
 * MIXCOLUMNS and ADDROUNDKEY. For a byte a and the bytes b, c, d below it, MIXCOLUMNS computes {02}
 * a ^ {03} b ^ c ^ d = {02} (a ^ b) ^ b ^ (c ^ d). The product by {02} moves bit i to i + 1 and bit
 * 7 to 0, 1, 3 and 4. Planes are processed from 7 down: `below` and `sum` are b and a ^ b of this
 * plane, `next_sum` is a ^ b of the one before.
 */
#define MIX_PLANE(i, PARITY, bit7)                                                                 \
    do {                                                                                           \
        const uint32_t next_below = BELOW_##PARITY(q[(i) - 1]);                                    \
        const uint32_t next_sum = q[(i) - 1] ^ next_below;                                         \
        q[i] = next_sum ^ below ^ TWO_BELOW_##PARITY(sum) ^ (bit7) ^                               \
               ((i) & 1 ? odd_plane(w[(i) / 2]) : even_plane(w[(i) / 2]));                         \
        below = next_below;                                                                        \
        sum = next_sum;                                                                            \
    } while (0)

#define MIX_COLUMNS_AND_ADD_ROUND_KEY(PARITY)                                                      \
    do {                                                                                           \
        uint32_t below = BELOW_##PARITY(q[7]);                                                     \
        uint32_t sum = q[7] ^ below;                                                               \
        const uint32_t sum7 = sum;                                                                 \
        MIX_PLANE(7, PARITY, 0);                                                                   \
        MIX_PLANE(6, PARITY, 0);                                                                   \
        MIX_PLANE(5, PARITY, 0);                                                                   \
        MIX_PLANE(4, PARITY, sum7);                                                                \
        MIX_PLANE(3, PARITY, sum7);                                                                \
        MIX_PLANE(2, PARITY, 0);                                                                   \
        MIX_PLANE(1, PARITY, sum7);                                                                \
        q[0] = sum7 ^ below ^ TWO_BELOW_##PARITY(sum) ^ even_plane(w[0]);                          \
    } while (0)

/* MIXCOLUMNS and ADDROUNDKEY of the round key `w` in odd rounds: see BELOW_ODD. */
static void mix_columns_odd(uint32_t q[8], const uint32_t w[4])
{
    MIX_COLUMNS_AND_ADD_ROUND_KEY(ODD);
}

/* The same for even rounds: see BELOW_EVEN. */
static void mix_columns_even(uint32_t q[8], const uint32_t w[4])
{
    MIX_COLUMNS_AND_ADD_ROUND_KEY(EVEN);
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
