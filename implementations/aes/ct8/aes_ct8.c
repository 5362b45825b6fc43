/*
 * AES in constant time for 8-bit cores: two blocks at a time, in bit planes of bytes.
 *
 * References: FIPS 197 (2001, updated 2023), sections 5.1 (Cipher), 5.2 (KeyExpansion); same
 * names.
 *
 * Byte q[r][i] holds bit i of the 8 bytes that two blocks have in row r: that of the byte in column
 * c of block b is bit 2c + b. So rows are separate, and SHIFTROWS rotates each byte.
 *
 * Both blocks use the same round keys, so two planes share a byte: row r of planes 2j and 2j + 1 of
 * round key n are the even and the odd bits of w[16n + 4 (3 - j) + r], which is the order in which
 * rounds need them.
 */
#include "aes.h"

#include "inline.h"
#include "planes.h"

/* SUBWORD of a word of 4 bytes. */
static void sub_word(uint8_t word[4])
{
    uint8_t q[8];

    for (uint8_t r = 0; r < 4; r++) {
        q[r] = word[r];
        q[r + 4] = 0;
    }
    transpose(q);
    sub_bytes(&q, 1);
    transpose(q);
    for (uint8_t r = 0; r < 4; r++) {
        word[r] = q[r] ^ 0x63;
    }
}

/* Converts the 16 bytes of a round key, columns first, to bit planes, rows first. */
static void adapt_round_key(uint8_t w[16])
{
    uint8_t k[16];

    for (uint8_t i = 0; i < 16; i++) {
        k[i] = w[i];
    }
    /* Transposes four by four fields of two bits in each row. */
    for (uint8_t r = 0; r < 4; r++) {
        uint8_t k0 = k[r], k1 = k[4 + r], k2 = k[8 + r], k3 = k[12 + r];

        exchange(&k0, &k1, 0x33, 2);
        exchange(&k2, &k3, 0x33, 2);
        exchange(&k0, &k2, 0x0f, 4);
        exchange(&k1, &k3, 0x0f, 4);
        w[r] = k3, w[4 + r] = k2, w[8 + r] = k1, w[12 + r] = k0;
    }
}

void aes_expand_key(aes_key *key, const uint8_t *bytes)
{
    uint8_t *w = key->w;
    uint8_t rcon = 1;
    uint8_t phase = 0; /* i mod Nk */
    uint8_t temp[4];

    for (uint8_t i = 0; i < 4 * AES_NK; i++) {
        w[i] = bytes[i];
    }
    for (uint8_t i = AES_NK; i < 4 * (AES_NR + 1 + AES_EXTRA_KEYS); i++) {
        const uint8_t rotate = phase == 0;

        for (uint8_t r = 0; r < 4; r++) {
            temp[r] = w[4 * AES_NK - 4 + ((r + rotate) & 3)]; /* ROTWORD(w[i-1]) or w[i-1] */
        }
        if (phase == 0) {
            sub_word(temp);
            temp[0] ^= rcon;
            rcon = (uint8_t)(rcon << 1 ^ (rcon & 0x80 ? 0x1b : 0));
        } else if (AES_NK > 6 && phase == 4) {
            sub_word(temp);
        }
        for (uint8_t r = 0; r < 4; r++) {
            w[4 * AES_NK + r] = w[r] ^ temp[r];
        }
        w += 4;
        if (++phase == AES_NK) {
            phase = 0;
        }
    }
    for (uint8_t n = 0; n <= AES_NR; n++) {
        w = key->w + 16 * n;
        if (n != 0) {
            for (uint8_t i = 0; i < 16; i++) {
                w[i] ^= 0x63;
            }
        }
        adapt_round_key(w);
    }
}

/* `x` rotated left by n bits. */
static inline uint8_t rotate(uint8_t x, uint8_t n)
{
    return (uint8_t)(x << n | x >> (8 - n));
}

/* The bits that the byte `w` of a round key adds to plane 2j. */
static inline uint8_t even_plane(uint8_t w)
{
    w &= 0x55;
    return (uint8_t)(w | w << 1);
}

/* The bits that the byte `w` of a round key adds to plane 2j + 1. */
static inline uint8_t odd_plane(uint8_t w)
{
    w &= 0xaa;
    return (uint8_t)(w | w >> 1);
}

/* ADDROUNDKEY. */
NEVER_INLINE void add_round_key(uint8_t q[4][8], const uint8_t w[16])
{
    for (uint8_t i = 6;; i = (uint8_t)(i - 2)) {
        for (uint8_t r = 0; r < 4; r++) {
            q[r][i] ^= even_plane(*w);
            q[r][i + 1] ^= odd_plane(*w++);
        }
        if (i == 0) {
            break;
        }
    }
}

/* One bit of each byte of both blocks: a plane's rows. */
typedef struct {
    uint8_t r0, r1, r2, r3;
} plane;

/* Plane i after SHIFTROWS; q is at row 0 of plane 0. */
ALWAYS_INLINE plane shifted_plane(const uint8_t *q, int8_t i)
{
    const plane a = {q[i], rotate(q[8 + i], 6), rotate(q[16 + i], 4), rotate(q[24 + i], 2)};
    return a;
}

/* Adds to each row the row below it. */
ALWAYS_INLINE plane pairs(plane a)
{
    const plane s = {a.r0 ^ a.r1, a.r1 ^ a.r2, a.r2 ^ a.r3, a.r3 ^ a.r0};
    return s;
}

/* Row by row, x plus y. */
ALWAYS_INLINE plane sum(plane x, plane y)
{
    const plane s = {x.r0 ^ y.r0, x.r1 ^ y.r1, x.r2 ^ y.r2, x.r3 ^ y.r3};
    return s;
}

/* Row by row, PLANE of the four bytes of a round key in w. */
#define KEY_PLANE(PLANE, w) ((plane){PLANE(w.r0), PLANE(w.r1), PLANE(w.r2), PLANE(w.r3)})

/* The next four bytes of a round key. */
ALWAYS_INLINE plane next_key_bytes(const uint8_t **w)
{
    plane k;

    k.r0 = *(*w)++;
    k.r1 = *(*w)++;
    k.r2 = *(*w)++;
    k.r3 = *(*w)++;
    return k;
}

/* Plane i from its old value, a, and the bits of {02} (a ^ b), plus the round key's. */
ALWAYS_INLINE void set_plane(uint8_t *q, int8_t i, plane a, plane moved, plane key)
{
    const uint8_t all = a.r0 ^ a.r1 ^ a.r2 ^ a.r3;

    q[i] = a.r0 ^ all ^ moved.r0 ^ key.r0;
    q[8 + i] = a.r1 ^ all ^ moved.r1 ^ key.r1;
    q[16 + i] = a.r2 ^ all ^ moved.r2 ^ key.r2;
    q[24 + i] = a.r3 ^ all ^ moved.r3 ^ key.r3;
}

/*
 * SHIFTROWS, MIXCOLUMNS and ADDROUNDKEY. For a byte a and the bytes b, c, d below it, MIXCOLUMNS
 * computes {02} a ^ {03} b ^ c ^ d = {02} (a ^ b) ^ a ^ (a ^ b ^ c ^ d). The product by {02} moves
 * bit i to i + 1 and bit 7 to 0, 1, 3 and 4. Planes are processed from 7 down.
 */
NEVER_INLINE void mix_columns(uint8_t *q, const uint8_t *w)
{
    plane a = shifted_plane(q, 7), b, k;
    const plane top = pairs(a);

    q += 6;
    for (uint8_t j = 3; j != 0; j--) { /* planes 2j + 1 and 2j */
        k = next_key_bytes(&w);
        b = shifted_plane(q, 0);
        set_plane(q, 1, a, j == 1 ? sum(pairs(b), top) : pairs(b), KEY_PLANE(odd_plane, k));
        a = b;
        b = shifted_plane(q, -1);
        set_plane(q, 0, a, j == 2 ? sum(pairs(b), top) : pairs(b), KEY_PLANE(even_plane, k));
        a = b;
        q -= 2;
    }
    k = next_key_bytes(&w);
    b = shifted_plane(q, 0);
    set_plane(q, 1, a, sum(pairs(b), top), KEY_PLANE(odd_plane, k));
    set_plane(q, 0, b, top, KEY_PLANE(even_plane, k));
}

/* SHIFTROWS. */
static void shift_rows(uint8_t q[4][8])
{
    for (uint8_t i = 0; i < 8; i++) {
        q[1][i] = rotate(q[1][i], 6);
        q[2][i] = rotate(q[2][i], 4);
        q[3][i] = rotate(q[3][i], 2);
    }
}

/* Converts two blocks to planes. */
ALWAYS_INLINE void load_planes(uint8_t q[4][8], const uint8_t *blocks)
{
    for (uint8_t r = 0; r < 4; r++) {
        for (uint8_t c = 0; c < 4; c++) {
            q[r][2 * c] = blocks[4 * c + r];
            q[r][2 * c + 1] = blocks[16 + 4 * c + r];
        }
        transpose(q[r]);
    }
}

/* The inverse. */
ALWAYS_INLINE void store_planes(uint8_t *blocks, uint8_t q[4][8])
{
    for (uint8_t r = 0; r < 4; r++) {
        transpose(q[r]);
        for (uint8_t c = 0; c < 4; c++) {
            blocks[4 * c + r] = q[r][2 * c];
            blocks[16 + 4 * c + r] = q[r][2 * c + 1];
        }
    }
}

void aes_encrypt(const aes_key *key, uint32_t words[8])
{
    uint8_t *blocks = (uint8_t *)words;
    const uint8_t *w = key->w;
    uint8_t q[4][8];

    load_planes(q, blocks);
    add_round_key(q, w);
    for (uint8_t n = 1; n < AES_NR; n++) {
        w += 16;
        sub_bytes(q, 4);
        mix_columns(q[0], w);
    }
    sub_bytes(q, 4);
    shift_rows(q);
    add_round_key(q, w + 16);
    store_planes(blocks, q);
}

#if AES_EXTRA_KEYS
void aes_next_key(uint8_t *bytes, const aes_key *key)
{
    for (uint8_t i = 0; i < 16; i++) {
        bytes[i] = key->w[16 * (AES_NR + 1) + i];
    }
}
#endif

#if defined(AES_WHOLE_ROUNDS)
void aes_encrypt_whole(const aes_key *key, uint32_t words[8], uint8_t rounds)
{
    uint8_t *blocks = (uint8_t *)words;
    const uint8_t *w = key->w;
    uint8_t q[4][8];

    load_planes(q, blocks);
    add_round_key(q, w);
    do {
        w = rounds == 1 ? key->w + 16 * AES_NR : w + 16;
        sub_bytes(q, 4);
        mix_columns(q[0], w);
    } while (--rounds != 0);
    store_planes(blocks, q);
}
#endif
