/*
 * The permutation SimP, byte by byte.
 *
 * References: A. Bhattacharjee, E. List, C. M. Lopez, M. Nandi, "The Oribatida Family of
 * Lightweight Authenticated Encryption Schemes v1.2" (submission to NIST's lightweight cryptography
 * project, round 2, 2019), section 2; R. Beaulieu, D. Shors, J. Smith, S. Treatman-Clark, B. Weeks,
 * L. Wingers, "The SIMON and SPECK Families of Lightweight Block Ciphers" (IACR ePrint 2013/404),
 * for Simon; same names.
 *
 * A step encrypts the second half with Simon; the first half is its key, and is replaced by the
 * result of the key schedule. The halves change places between steps.
 */
#include "simp.h"

#include "flash.h"

enum { W = SIMP_WORD };

/* The sequence z_2, bits from the least significant on; it has 62. */
static const uint8_t z2[8] IN_FLASH = {0xf5, 0x0e, 0x2c, 0x19, 0x85, 0xf8, 0x69, 0x33};

/* new = old ^ f(x) ^ k: f(x) = (x <<< 1 & x <<< 8) ^ x <<< 2. */
static void feistel(uint8_t *y, const uint8_t *x, const uint8_t *k)
{
    uint8_t here = x[0];

    for (uint8_t i = 0; i < W; i++) {
        const uint8_t next = i == W - 1 ? x[0] : x[i + 1];
        const uint8_t by_1 = (uint8_t)((unsigned)here << 1 | next >> 7);
        const uint8_t by_2 = (uint8_t)((unsigned)here << 2 | next >> 6);

        y[i] ^= (uint8_t)((by_1 & next) ^ by_2 ^ k[i]);
        here = next;
    }
}

/* k0 = ~3 ^ z ^ k0 ^ k1 >>> 3 ^ k1 >>> 4. */
static void next_key(uint8_t *k0, const uint8_t *k1, uint8_t z)
{
    uint8_t above = k1[W - 1];

    for (uint8_t i = 0; i < W; i++) {
        const uint8_t here = k1[i];
        const uint8_t by_3 = (uint8_t)(here >> 3 | (unsigned)above << 5);
        const uint8_t by_4 = (uint8_t)(here >> 4 | (unsigned)above << 4);

        k0[i] ^= (uint8_t)~(by_3 ^ by_4);
        above = here;
    }
    k0[W - 1] ^= 3 ^ z;
}

/* Exchanges two halves of the state. */
static void exchange_halves(uint8_t *x)
{
    for (uint8_t i = 0; i < 2 * W; i++) {
        const uint8_t t = x[i];

        x[i] = x[2 * W + i];
        x[2 * W + i] = t;
    }
}

void simp_permute(uint8_t x[SIMP_BYTES], uint8_t steps)
{
    uint8_t i = 0; /* of z_2 */

    for (;;) {
        uint8_t *const k = x, *const s = x + 2 * W;

        /* Two rounds, after which words and keys are back at their positions. */
        for (uint8_t n = SIMP_ROUNDS / 2; n != 0; n--) {
            feistel(s + W, s, k + W);
            next_key(k + W, k, flash_u8(&z2[i / 8]) >> i % 8 & 1);
            feistel(s, s + W, k);
            next_key(k, k + W, flash_u8(&z2[i / 8]) >> (i % 8 + 1) & 1);
            i = (uint8_t)(i + 2);
            if (i == 62) {
                i = 0;
            }
        }
        if (--steps == 0) {
            return;
        }
        exchange_halves(x);
    }
}
