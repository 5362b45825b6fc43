/*
 * AES with MIXCOLUMNS in all rounds, with a table of the S-box, optimised for code size.
 *
 * References: FIPS 197 (2001, updated 2023), section 5.1; same names.
 */
#include "aes.h"
#include "mix_columns.h"
#include "sbox.h"

void aes_encrypt_whole(const aes_key *key, uint32_t words[4], uint8_t rounds)
{
    uint8_t *block = (uint8_t *)words;
    const uint8_t *w = key->w;
    uint8_t s[16];

    for (uint8_t i = 0; i < 16; i++) {
        block[i] ^= *w++;
    }
    for (; rounds != 0; rounds--) {
        uint8_t from = 0;

        for (uint8_t i = 0; i < 16; i++) { /* SUBBYTES; SHIFTROWS: s[r,c] from s[r,c+r] */
            s[i] = sbox(block[from]);
            from = (from + 5) & 15;
        }
        mix_columns(s);
        if (rounds == 1) {
            w = key->w + 16 * AES_NR;
        }
        for (uint8_t i = 0; i < 16; i++) { /* ADDROUNDKEY */
            block[i] = s[i] ^ *w++;
        }
    }
}
