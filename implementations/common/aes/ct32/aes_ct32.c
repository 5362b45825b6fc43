/*
 * AES in constant time for 32-bit cores: two blocks at a time, in bit planes of 32-bit words.
 *
 * References: FIPS 197 (2001, updated 2023), sections 5.1 (Cipher), 5.2 (KeyExpansion); names as
 * there. A. Adomnicai, T. Peyrin, "Fixslicing AES-like Ciphers", TCHES 2021(1): semi-fixslicing.
 *
 * Word q[i] holds bit i of the 32 bytes of two blocks: that of the byte in row r and column c of
 * block b is bit 8r + 2c + b. So moving up a row is a rotation of the word by 8, and moving left
 * a column is a rotation of each of its bytes by 2.
 *
 * SHIFTROWS needs many masks in this form. Semi-fixslicing leaves it out of every odd round: the
 * state then stands as SHIFTROWS^-1 of itself, to which that round's MIXCOLUMNS and round key are
 * adapted, and the even round after it makes up by doing SHIFTROWS twice, which only exchanges
 * columns two apart in rows 1 and 3.
 */
#include "aes.h"

#include <string.h>

#include "bytes.h"
#include "rotate.h"

typedef uint32_t aes_plane;
#include "sbox_circuit.h"

#define EVEN_BITS 0x55555555u
#define ODD_BITS 0xaaaaaaaau

/* Exchanges the bits of `a` selected by `mask` with those of `b` selected by mask << n. */
static inline void exchange(uint32_t *a, uint32_t *b, uint32_t mask, unsigned n)
{
    const uint32_t t = (*a ^ *b >> n) & mask;
    *a ^= t;
    *b ^= t << n;
}

/* Transposes the 8 by 8 bits that the words q[0..7] hold in each of their bytes. */
static void transpose(uint32_t q[8])
{
    for (unsigned i = 0; i < 8; i += 2) {
        exchange(&q[i + 1], &q[i], 0x55555555, 1);
    }
    for (unsigned i = 0; i < 8; i += (i & 1) ? 3 : 1) { /* 0, 1, 4, 5 */
        exchange(&q[i + 2], &q[i], 0x33333333, 2);
    }
    for (unsigned i = 0; i < 4; i++) {
        exchange(&q[i + 4], &q[i], 0x0f0f0f0f, 4);
    }
}

/* Each byte of `x` rotated right by n bits; `low` has the 8 - n low bits of each byte set. */
static inline uint32_t rotate_bytes(uint32_t x, unsigned n, uint32_t low)
{
    return (x >> n & low) | (x << (8 - n) & ~low);
}

/* SUBBYTES, but for {63}, which is in the round keys. */
static void sub_bytes(uint32_t q[8])
{
    sub_bytes_without_63(q);
}

/* SHIFTROWS twice: exchanges columns 0, 2 and 1, 3 in rows 1 and 3. */
static inline void shift_rows_twice(uint32_t q[8])
{
    for (unsigned i = 0; i < 8; i++) {
        const uint32_t t = (q[i] ^ q[i] >> 4) & 0x0f000f00;
        q[i] ^= t ^ t << 4;
    }
}

/* Of each column, the byte one row below, in even rounds and in odd rounds (where it has moved one
 * column to the right). */
#define ROW_BELOW_EVEN(x) rotr32(x, 8)
#define ROW_BELOW_ODD(x) rotate_bytes(rotr32(x, 8), 2, 0x3f3f3f3f)

/* The same for two rows below. */
#define TWO_BELOW_EVEN(x) rotr32(x, 16)
#define TWO_BELOW_ODD(x) rotate_bytes(rotr32(x, 16), 4, 0x0f0f0f0f)

/*
 * MIXCOLUMNS: {02} a ^ {03} b ^ c ^ d for a byte a and those b, c, d below it is
 * {02} (a ^ b) ^ b ^ (c ^ d). Products by {02} move bit i to i + 1, and bit 7 to 0, 1, 3, 4.
 */
#define MIX_COLUMNS(q, ROW_BELOW, TWO_BELOW)                                                       \
    do {                                                                                           \
        uint32_t below = ROW_BELOW(q[7]);                                                          \
        uint32_t sum = q[7] ^ below;                                                               \
        const uint32_t sum7 = sum;                                                                 \
        for (unsigned i = 7; i > 0; i--) {                                                         \
            const uint32_t next_below = ROW_BELOW(q[i - 1]);                                       \
            const uint32_t next_sum = q[i - 1] ^ next_below;                                       \
            q[i] = next_sum ^ below ^ TWO_BELOW(sum);                                              \
            if (i == 1 || i == 3 || i == 4) {                                                      \
                q[i] ^= sum7;                                                                      \
            }                                                                                      \
            below = next_below;                                                                    \
            sum = next_sum;                                                                        \
        }                                                                                          \
        q[0] = sum7 ^ below ^ TWO_BELOW(sum);                                                      \
    } while (0)

/* ADDROUNDKEY with the round key in the even bits of w, for both blocks. */
static inline void add_even_round_key(uint32_t q[8], const uint32_t w[8])
{
    for (unsigned i = 0; i < 8; i++) {
        const uint32_t k = w[i] & EVEN_BITS;
        q[i] ^= k | k << 1;
    }
}

/* ADDROUNDKEY with the round key in the odd bits of w, for both blocks. */
static inline void add_odd_round_key(uint32_t q[8], const uint32_t w[8])
{
    for (unsigned i = 0; i < 8; i++) {
        const uint32_t k = w[i] & ODD_BITS;
        q[i] ^= k | k >> 1;
    }
}

/* {63} in the bits of a word that `mask` selects, if plane i has a bit of it. */
#define CONSTANT_63(i, mask) ((0x63 >> (i)) & 1 ? (mask) : 0)

/* Columns of the key schedule that are made at once: a divisor of 4 and of Nk. */
#define GROUP (AES_NK == 6 ? 2 : 4)

/* Where w[n], a column of the key schedule, lies in its word: bits COLUMN(n) + 8r. */
#define COLUMN(n) (2 * ((n) % 4) + (n) / 4 % 2)
#define FIRST_COLUMN 0x01010101u

/*
 * w[n] to w[n + GROUP - 1]. Each is the sum of temp, of which the specification makes w[n], and of
 * w[n - Nk] to the column Nk before it. `rcon` is Rcon[n / Nk].
 */
static void expand_columns(uint32_t (*w)[8], unsigned n, unsigned rcon)
{
    const uint32_t *last = w[(n - 1) / 8];
    const uint32_t *old = w[(n - AES_NK) / 8];
    uint32_t *new = w[n / 8];
    uint32_t temp[8];

    for (unsigned i = 0; i < 8; i++) {
        temp[i] = last[i] >> COLUMN(n - 1) & FIRST_COLUMN;
    }
    if (n % AES_NK == 0 || (AES_NK == 8 && n % 8 == 4)) { /* SUBWORD(ROTWORD()) or SUBWORD() */
        sub_bytes(temp);
        for (unsigned i = 0; i < 8; i++) {
            temp[i] ^= CONSTANT_63(i, FIRST_COLUMN);
            if (n % AES_NK == 0) {
                temp[i] = rotr32(temp[i], 8) ^ (rcon >> i & 1);
            }
        }
    }
    for (unsigned i = 0; i < 8; i++) {
        uint32_t t = temp[i];
        uint32_t x = old[i] >> COLUMN(n - AES_NK) & 0x55555555;

        t |= t << 2;
        if (GROUP == 2) {
            x &= 0x05050505;
            x ^= (x & FIRST_COLUMN) << 2;
        } else {
            t |= t << 4;
            x ^= (x & 0x15151515) << 2;
            x ^= (x & 0x05050505) << 4;
        }
        new[i] |= (x ^ t) << COLUMN(n);
    }
}

/* Adapts the round keys: those of odd rounds by SHIFTROWS^-1, all but the first by {63}. */
static void adapt_round_keys(uint32_t (*w)[8])
{
    for (unsigned p = 0; p <= AES_NR / 2; p++) {
        for (unsigned i = 0; i < 8; i++) {
            uint32_t even = w[p][i] & EVEN_BITS, odd = w[p][i] & ODD_BITS;
            const uint32_t t = (odd ^ odd >> 4) & 0x0f0f0000; /* rows 2 and 3 by two columns */
            odd ^= t ^ t << 4;
            odd = (odd & 0x00ff00ff) | (odd << 2 & 0xfc00fc00) | (odd >> 6 & 0x03000300);
            odd ^= CONSTANT_63(i, ODD_BITS);
            if (p != 0) {
                even ^= CONSTANT_63(i, EVEN_BITS);
            }
            w[p][i] = even | odd;
        }
    }
}

void aes_expand_key(aes_key *key, const uint8_t *bytes)
{
    unsigned rcon = 1;

    memset(key, 0, sizeof *key);
    for (unsigned n = 0; n < AES_NK; n++) {
        key->w[0][COLUMN(n)] = load32_le(bytes + 4 * n);
    }
    transpose(key->w[0]);
    for (unsigned n = AES_NK; n < 4 * (AES_NR + 1); n += GROUP) {
        expand_columns(key->w, n, rcon);
        if (n % AES_NK == 0) {
            rcon = rcon << 1 ^ (rcon & 0x80 ? 0x11b : 0);
        }
    }
    adapt_round_keys(key->w);
}

void aes_encrypt(const aes_key *key, uint8_t blocks[32])
{
    const uint32_t(*w)[8] = key->w;
    uint32_t q[8];

    for (unsigned c = 0; c < 4; c++) {
        q[2 * c] = load32_le(blocks + 4 * c);
        q[2 * c + 1] = load32_le(blocks + 16 + 4 * c);
    }
    transpose(q);
    add_even_round_key(q, *w);
    for (;;) {
        sub_bytes(q);
        MIX_COLUMNS(q, ROW_BELOW_ODD, TWO_BELOW_ODD);
        add_odd_round_key(q, *w++);
        sub_bytes(q);
        shift_rows_twice(q);
        if (w == key->w + AES_NR / 2) { /* the last round has no MIXCOLUMNS */
            break;
        }
        MIX_COLUMNS(q, ROW_BELOW_EVEN, TWO_BELOW_EVEN);
        add_even_round_key(q, *w);
    }
    add_even_round_key(q, *w);
    transpose(q);
    for (unsigned c = 0; c < 4; c++) {
        store32_le(blocks + 4 * c, q[2 * c]);
        store32_le(blocks + 16 + 4 * c, q[2 * c + 1]);
    }
}
