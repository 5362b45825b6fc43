/*
 * AES with a table of the S-box, byte by byte, in loops: the least code.
 *
 * References: FIPS 197 (2001, updated 2023), section 5.1 (Cipher); names as there. The state's
 * byte s[r,c] is element 4c + r.
 */
#include "aes.h"
#include "sbox.h"
#include "xtimes.h"

/* MIXCOLUMNS. What it makes of a byte a and those b, c, d below it is {02} a ^ {03} b ^ c ^ d =
 * {02} (a ^ b) ^ a ^ (a ^ b ^ c ^ d). */
static void mix_columns(uint8_t s[16])
{
    for (uint8_t c = 0; c < 4; c++) {
        const uint8_t first = s[0], sum = s[0] ^ s[1] ^ s[2] ^ s[3];

        for (uint8_t r = 0; r < 4; r++) {
            const uint8_t below = r == 3 ? first : s[1];
            *s = *s ^ sum ^ xtimes(*s ^ below);
            s++;
        }
    }
}

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
