/*
 * AES's round with a table of the S-box, byte by byte, on the pairs of blocks of AEGIS-128L.
 *
 * References: FIPS 197 (2001, updated 2023), section 5.1; same names. H. Wu, B. Preneel,
 * "AEGIS: A Fast Authenticated Encryption Algorithm (v1.1)" (2016). The state's byte s[r,c] is
 * element 4c + r.
 */
#include "aegis.h"

#include "inline.h"
#include "sbox.h"
#include "xtimes.h"

void aegis_pack(aegis_pair *pair)
{
    (void)pair;
}

void aegis_unpack(aegis_pair *pair)
{
    (void)pair;
}

/* Adds a column after SUBBYTES and SHIFTROWS, a, b, c, d. For a, MIXCOLUMNS gives {02} a ^ {03} b ^
 * c ^ d = {02} (a ^ b) ^ a ^ (a ^ b ^ c ^ d). */
ALWAYS_INLINE void add_mixed_column(uint8_t *sum, uint8_t a, uint8_t b, uint8_t c, uint8_t d)
{
    const uint8_t all = a ^ b ^ c ^ d;

    sum[0] = sum[0] ^ xtimes(a ^ b) ^ a ^ all;
    sum[1] = sum[1] ^ xtimes(b ^ c) ^ b ^ all;
    sum[2] = sum[2] ^ xtimes(c ^ d) ^ c ^ all;
    sum[3] = sum[3] ^ xtimes(d ^ a) ^ d ^ all;
}

/* SUBBYTES of s[r,c]. */
#define S(r, c) sbox(s[4 * (c) + (r)])

/* sum += AESRound(s, 0). */
NEVER_INLINE void add_round(uint8_t sum[16], const uint8_t s[16])
{
    add_mixed_column(sum, S(0, 0), S(1, 1), S(2, 2), S(3, 3));
    add_mixed_column(sum + 4, S(0, 1), S(1, 2), S(2, 3), S(3, 0));
    add_mixed_column(sum + 8, S(0, 2), S(1, 3), S(2, 0), S(3, 1));
    add_mixed_column(sum + 12, S(0, 3), S(1, 0), S(2, 1), S(3, 2));
}

void aegis_round(aegis_pair *sum, const aegis_pair *from)
{
    add_round(sum->byte, from->byte);
    add_round(sum->byte + 16, from->byte + 16);
}

void aegis_swap(aegis_pair *pair)
{
    for (uint8_t i = 0; i < 16; i++) {
        const uint8_t x = pair->byte[i];

        pair->byte[i] = pair->byte[16 + i];
        pair->byte[16 + i] = x;
    }
}
