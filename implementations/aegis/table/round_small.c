/*
 * AES's round with a table of the S-box, in loops, on the pairs of blocks of AEGIS-128L.
 *
 * References: FIPS 197 (2001, updated 2023), section 5.1; same names. H. Wu, B. Preneel,
 * "AEGIS: A Fast Authenticated Encryption Algorithm (v1.1)" (2016). The state's byte s[r,c] is
 * element 4c + r.
 */
#include "aegis.h"

#include "mix_columns.h"
#include "sbox.h"

void aegis_pack(aegis_pair *pair)
{
    (void)pair;
}

void aegis_unpack(aegis_pair *pair)
{
    (void)pair;
}

void aegis_round(aegis_pair *sum, const aegis_pair *from)
{
    for (uint8_t block = 0; block < 32; block = (uint8_t)(block + 16)) {
        uint8_t s[16], at = 0;

        for (uint8_t i = 0; i < 16; i++) { /* SUBBYTES; SHIFTROWS: s[r,c] from s[r,c+r] */
            s[i] = sbox(from->byte[block + at]);
            at = (at + 5) & 15;
        }
        mix_columns(s);
        for (uint8_t i = 0; i < 16; i++) {
            sum->byte[block + i] ^= s[i];
        }
    }
}

void aegis_swap(aegis_pair *pair)
{
    for (uint8_t i = 0; i < 16; i++) {
        const uint8_t x = pair->byte[i];

        pair->byte[i] = pair->byte[16 + i];
        pair->byte[16 + i] = x;
    }
}
