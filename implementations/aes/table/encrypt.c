/*
 * AES with a table of the S-box, byte by byte, the columns of a round written out.
 *
 * References: FIPS 197 (2001, updated 2023), section 5.1 (Cipher); same names. The state's
 * byte s[r,c] is element 4c + r.
 */
#include "aes.h"
#include "inline.h"
#include "sbox.h"
#include "xtimes.h"

/*
 * MIXCOLUMNS of a column a, b, c, d and ADDROUNDKEY. For a, MIXCOLUMNS gives {02} a ^ {03} b ^ c ^
 * d = {02} (a ^ b) ^ a ^ (a ^ b ^ c ^ d).
 */
ALWAYS_INLINE void mix_column(uint8_t *output, const uint8_t *w, uint8_t a, uint8_t b, uint8_t c,
                              uint8_t d)
{
    const uint8_t sum = a ^ b ^ c ^ d;

    output[0] = w[0] ^ xtimes(a ^ b) ^ a ^ sum;
    output[1] = w[1] ^ xtimes(b ^ c) ^ b ^ sum;
    output[2] = w[2] ^ xtimes(c ^ d) ^ c ^ sum;
    output[3] = w[3] ^ xtimes(d ^ a) ^ d ^ sum;
}

/* SUBBYTES of s[r,c]. */
#define S(r, c) sbox(s[4 * (c) + (r)])

/* One round but the last: output = ADDROUNDKEY(MIXCOLUMNS(SHIFTROWS(SUBBYTES(s))), w). */
NEVER_INLINE void cipher_round(uint8_t output[16], const uint8_t s[16], const uint8_t w[16])
{
    mix_column(output, w, S(0, 0), S(1, 1), S(2, 2), S(3, 3));
    mix_column(output + 4, w + 4, S(0, 1), S(1, 2), S(2, 3), S(3, 0));
    mix_column(output + 8, w + 8, S(0, 2), S(1, 3), S(2, 0), S(3, 1));
    mix_column(output + 12, w + 12, S(0, 3), S(1, 0), S(2, 1), S(3, 2));
}

void aes_encrypt(const aes_key *key, uint32_t words[4])
{
    uint8_t *block = (uint8_t *)words;
    const uint8_t *w = key->w;
    uint8_t other[16];

    for (uint8_t i = 0; i < 16; i++) {
        block[i] ^= w[i];
    }
    for (uint8_t n = 1; n < AES_NR - 1; n = (uint8_t)(n + 2)) {
        cipher_round(other, block, w + 16);
        w += 32;
        cipher_round(block, other, w);
    }
    cipher_round(other, block, w + 16);
    w += 32;
    for (uint8_t i = 0; i < 16; i++) { /* the last round has no MIXCOLUMNS */
        block[i] = w[i] ^ sbox(other[(i + 4 * (i & 3)) & 15]);
    }
}
