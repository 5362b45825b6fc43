/*
 * AES's key schedule with a table of the S-box, byte by byte.
 *
 * References: FIPS 197 (2001, updated 2023), section 5.2 (KeyExpansion); same names.
 */
#include "aes.h"
#include "sbox.h"
#include "xtimes.h"

void aes_expand_key(aes_key *key, const uint8_t *bytes)
{
    uint8_t *w = key->w;
    uint8_t rcon = 1;
    uint8_t phase = 0; /* bytes since i was last a multiple of Nk */

    for (uint8_t i = 0; i < 4 * AES_NK; i++) {
        *w++ = bytes[i];
    }
    for (uint8_t i = AES_NK; i < 4 * (AES_NR + 1 + AES_EXTRA_KEYS); i++) {
        uint8_t t0 = w[-4], t1 = w[-3], t2 = w[-2], t3 = w[-1];

        if (phase == 0) { /* SUBWORD(ROTWORD(w[i-1])) ^ Rcon[i/Nk] */
            const uint8_t t = t0;
            t0 = sbox(t1) ^ rcon;
            t1 = sbox(t2);
            t2 = sbox(t3);
            t3 = sbox(t);
            rcon = xtimes(rcon);
        } else if (AES_NK > 6 && phase == 4) { /* SUBWORD(w[i-1]) */
            t0 = sbox(t0);
            t1 = sbox(t1);
            t2 = sbox(t2);
            t3 = sbox(t3);
        }
        w[0] = w[0 - 4 * AES_NK] ^ t0;
        w[1] = w[1 - 4 * AES_NK] ^ t1;
        w[2] = w[2 - 4 * AES_NK] ^ t2;
        w[3] = w[3 - 4 * AES_NK] ^ t3;
        w += 4;
        if (++phase == AES_NK) {
            phase = 0;
        }
    }
}

#if AES_EXTRA_KEYS
void aes_next_key(uint8_t *bytes, const aes_key *key)
{
    for (uint8_t i = 0; i < 16; i++) {
        bytes[i] = key->w[16 * (AES_NR + 1) + i];
    }
}
#endif
