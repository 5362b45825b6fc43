/*
 * AES's round in constant time for 8-bit cores, on the pairs of blocks of AEGIS-128L.
 *
 * References: FIPS 197 (2001, updated 2023), section 5.1; same names. H. Wu, B. Preneel,
 * "AEGIS: A Fast Authenticated Encryption Algorithm (v1.1)" (2016).
 */
#include "aegis.h"

#include "inline.h"
#include "planes.h"

void aegis_pack(aegis_pair *pair)
{
    uint8_t q[4][8];

    for (uint8_t r = 0; r < 4; r++) {
        for (uint8_t c = 0; c < 4; c++) {
            q[r][2 * c] = pair->byte[4 * c + r];
            q[r][2 * c + 1] = pair->byte[16 + 4 * c + r];
        }
        transpose(q[r]);
    }
    for (uint8_t i = 0; i < 32; i++) {
        pair->unit[i] = q[i / 8][i % 8];
    }
}

void aegis_unpack(aegis_pair *pair)
{
    uint8_t q[4][8];

    for (uint8_t i = 0; i < 32; i++) {
        q[i / 8][i % 8] = pair->unit[i];
    }
    for (uint8_t r = 0; r < 4; r++) {
        transpose(q[r]);
        for (uint8_t c = 0; c < 4; c++) {
            pair->byte[4 * c + r] = q[r][2 * c];
            pair->byte[16 + 4 * c + r] = q[r][2 * c + 1];
        }
    }
}

/* `x` rotated right by n bits. */
ALWAYS_INLINE uint8_t rotate(uint8_t x, uint8_t n)
{
    return (uint8_t)(x >> n | x << (8 - n));
}

/* One bit of each byte of both blocks: a plane's rows. */
typedef struct {
    uint8_t r0, r1, r2, r3;
} plane;

/* Plane i after SHIFTROWS. */
ALWAYS_INLINE plane shifted_plane(const uint8_t *q)
{
    const plane a = {q[0], rotate(q[8], 2), rotate(q[16], 4), rotate(q[24], 6)};

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

/* Adds to a plane the result of MIXCOLUMNS for a, its old value, and the bits of {02} (a ^ b). */
ALWAYS_INLINE void add_plane(uint8_t *u, plane a, plane moved, uint8_t constant)
{
    const uint8_t all = a.r0 ^ a.r1 ^ a.r2 ^ a.r3 ^ constant;

    u[0] ^= a.r0 ^ all ^ moved.r0;
    u[8] ^= a.r1 ^ all ^ moved.r1;
    u[16] ^= a.r2 ^ all ^ moved.r2;
    u[24] ^= a.r3 ^ all ^ moved.r3;
}

/*
 * For a byte a and the bytes b, c, d below it, MIXCOLUMNS computes {02} a ^ {03} b ^ c ^ d = {02}
 * (a ^ b) ^ a ^ (a ^ b ^ c ^ d). The product by {02} moves bit i to i + 1 and bit 7 to 0, 1, 3 and
 * 4. Planes are processed from 7 down. {63}, which SUBBYTES omits, does not change.
 */
NEVER_INLINE void mix_columns(uint8_t *u, const uint8_t *q)
{
    plane a = shifted_plane(q + 7), b;
    const plane top = pairs(a);

    u += 7;
    q += 6;
    for (uint8_t i = 7; i != 0; i--) {
        plane moved;

        b = shifted_plane(q);
        moved = pairs(b);
        if (i == 4 || i == 3 || i == 1) {
            moved = sum(moved, top);
        }
        add_plane(u, a, moved, (uint8_t)(0 - (0x63 >> i & 1)));
        a = b;
        u--;
        q--;
    }
    add_plane(u, a, top, 0xff);
}

void aegis_round(aegis_pair *pair, const aegis_pair *from)
{
    uint8_t q[4][8];

    for (uint8_t i = 0; i < 32; i++) {
        q[i / 8][i % 8] = from->unit[i];
    }
    sub_bytes(q, 4);
    mix_columns(pair->unit, q[0]);
}

void aegis_swap(aegis_pair *pair)
{
    for (uint8_t i = 0; i < 32; i++) {
        const uint8_t x = pair->unit[i];

        pair->unit[i] = (uint8_t)((x >> 1 & 0x55) | (x & 0x55) << 1);
    }
}
