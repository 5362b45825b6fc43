/*
 * AES's round in constant time for 32-bit cores, on the pairs of blocks of AEGIS-128L.
 *
 * References: FIPS 197 (2001, updated 2023), section 5.1; same names. H. Wu, B. Preneel,
 * "AEGIS: A Fast Authenticated Encryption Algorithm (v1.1)" (2016).
 *
 * Fixslicing does not help here: the result of every round is added to a block that needs the
 * standard representation.
 */
#include "aegis.h"

#include "inline.h"
#include "order.h"
#include "planes.h"
#include "rotate.h"

typedef uint32_t aes_plane;
#include "sbox_circuit.h"

void aegis_pack(aegis_pair *pair)
{
    uint32_t *const words = pair->unit;
    uint32_t q[8];

    for (unsigned c = 0; c < 4; c++) {
        q[2 * c] = little_endian32(words[c]);
        q[2 * c + 1] = little_endian32(words[4 + c]);
    }
    transpose(q);
    for (unsigned i = 0; i < 8; i++) {
        words[i] = q[i];
    }
}

void aegis_unpack(aegis_pair *pair)
{
    uint32_t *const words = pair->unit;
    uint32_t q[8];

    for (unsigned i = 0; i < 8; i++) {
        q[i] = words[i];
    }
    transpose(q);
    for (unsigned c = 0; c < 4; c++) {
        words[c] = little_endian32(q[2 * c]);
        words[4 + c] = little_endian32(q[2 * c + 1]);
    }
}

/* SHIFTROWS of a plane: each byte rotated right by twice its number, in exchanges of two columns:
 * neighbours in rows 1 and 3, then columns two apart; in row 2 both pairs. */
ALWAYS_INLINE uint32_t shift_rows(uint32_t x)
{
    uint32_t t = (x ^ x >> 2) & 0x33003300;

    x ^= t ^ t << 2;
    t = (x ^ x >> 4) & 0x030f0c00;
    return x ^ t ^ t << 4;
}

/* SUBBYTES without {63}, which is added at the end. */
NEVER_INLINE void sub_bytes(uint32_t q[8], const uint32_t from[8])
{
    for (unsigned i = 0; i < 8; i++) {
        q[i] = from[i];
    }
    sub_bytes_without_63(q);
}

/*
 * SHIFTROWS and MIXCOLUMNS: for a byte a and the bytes b, c, d below it, MIXCOLUMNS computes {02} a
 * ^ {03} b ^ c ^ d = {02} (a ^ b) ^ b ^ (c ^ d). The product by {02} moves bit i to i + 1 and bit 7
 * to 0, 1, 3 and 4. Planes are processed from 7 down: `below` and `sum` are b and a ^ b of this
 * plane, `next_sum` is a ^ b of the one before. {63} does not change.
 */
#define MIX_PLANE(i, more)                                                                         \
    do {                                                                                           \
        const uint32_t next = shift_rows(q[(i) - 1]);                                              \
        const uint32_t next_below = rotr32(next, 8);                                               \
        const uint32_t next_sum = next ^ next_below;                                               \
        u[i] ^= next_sum ^ below ^ rotr32(sum, 16) ^ (more);                                       \
        below = next_below;                                                                        \
        sum = next_sum;                                                                            \
    } while (0)

void aegis_round(aegis_pair *pair, const aegis_pair *from)
{
    uint32_t *const u = pair->unit;
    uint32_t q[8], sum, sum7, below;

    sub_bytes(q, from->unit);
    sum = shift_rows(q[7]);
    below = rotr32(sum, 8);
    sum ^= below;
    sum7 = sum;
    MIX_PLANE(7, 0);
    MIX_PLANE(6, ~UINT32_C(0));
    MIX_PLANE(5, ~UINT32_C(0));
    MIX_PLANE(4, sum7);
    MIX_PLANE(3, sum7);
    MIX_PLANE(2, 0);
    MIX_PLANE(1, ~sum7);
    u[0] ^= ~sum7 ^ below ^ rotr32(sum, 16);
}

void aegis_swap(aegis_pair *pair)
{
    for (unsigned i = 0; i < 8; i++) {
        const uint32_t x = pair->unit[i];

        pair->unit[i] = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
    }
}
