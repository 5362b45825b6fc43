/*
 * AES with a table of the S-box, byte by byte, in loops: the smallest code.
 *
 * References: FIPS 197 (2001, updated 2023), section 5.1 (Cipher); same names. The state's
 * byte s[r,c] is element 4c + r.
 */
#include "aes.h"
#include "mix_columns.h"
#include "sbox.h"

void aes_encrypt(const aes_key *key, uint32_t words[4])
{
    uint8_t *block = (uint8_t *)words;
    const uint8_t *w = key->w;
    uint8_t s[16];

    for (uint8_t i = 0; i < 16; i++) {
        block[i] ^= *w++;
    }
    for (uint8_t n = AES_NR; n != 0; n--) {
        uint8_t from = 0;

        for (uint8_t i = 0; i < 16; i++) { /* SUBBYTES; SHIFTROWS: s[r,c] from s[r,c+r] */
            s[i] = sbox(block[from]);
            from = (from + 5) & 15;
        }
        if (n != 1) { /* the last round has no MIXCOLUMNS */
            mix_columns(s);
        }
        for (uint8_t i = 0; i < 16; i++) { /* ADDROUNDKEY */
            block[i] = s[i] ^ *w++;
        }
    }
}
