/*
 * The permutation SimP-256 on words of 64 bits as halves of 32.
 *
 * References: A. Bhattacharjee, E. List, C. M. Lopez, M. Nandi, "The Oribatida Family of
 * Lightweight Authenticated Encryption Schemes v1.2" (submission to NIST's lightweight cryptography
 * project, round 2, 2019), section 2; R. Beaulieu, D. Shors, J. Smith, S. Treatman-Clark, B. Weeks,
 * L. Wingers, "The SIMON and SPECK Families of Lightweight Block Ciphers" (IACR ePrint 2013/404),
 * for Simon; same names.
 *
 * See ../simp.c for how it works.
 */
#include "simp.h"

#include "bytes.h"
#include "inline.h"

#if SIMP_WORD != 8
#error "SimP-256 only"
#endif

typedef struct {
    uint32_t high, low;
} word;

/* The sequence z_2: 62 bits from the least significant on, and its first two again. */
static const uint32_t z2[2] = {UINT32_C(0x192c0ef5), UINT32_C(0x7369f885)};

/* x rotated left by a constant n, 0 < n < 32. */
ALWAYS_INLINE word rotate_left(word x, unsigned n)
{
    return (word){x.high << n | x.low >> (32 - n), x.low << n | x.high >> (32 - n)};
}

/* Reads a word from 8 bytes. */
ALWAYS_INLINE word load(const uint8_t *bytes)
{
    return (word){load32_be(bytes), load32_be(bytes + 4)};
}

/* Writes a word as 8 bytes. */
ALWAYS_INLINE void store(uint8_t *bytes, word x)
{
    store32_be(bytes, x.high);
    store32_be(bytes + 4, x.low);
}

/* y += f(x) + k: f(x) = (x <<< 1 & x <<< 8) ^ x <<< 2. */
ALWAYS_INLINE void feistel(word *y, word x, word k)
{
    const word by_1 = rotate_left(x, 1), by_2 = rotate_left(x, 2), by_8 = rotate_left(x, 8);

    y->high ^= (by_1.high & by_8.high) ^ by_2.high ^ k.high;
    y->low ^= (by_1.low & by_8.low) ^ by_2.low ^ k.low;
}

/* k0 = ~3 ^ z ^ k0 ^ k1 >>> 3 ^ k1 >>> 4. */
ALWAYS_INLINE void next_key(word *k0, word k1, uint32_t z)
{
    const word a = rotate_left(k1, 29), b = rotate_left(k1, 28); /* halves exchanged */

    k0->high ^= ~(a.low ^ b.low);
    k0->low ^= ~(a.high ^ b.high) ^ 3 ^ z;
}

void simp_permute(uint8_t x[SIMP_BYTES], uint8_t steps)
{
    word k1 = load(x), k0 = load(x + 8), s1 = load(x + 16), s0 = load(x + 24);
    uint8_t i = 0; /* of z_2 */

    for (;;) {
        word t;

        for (uint8_t n = SIMP_ROUNDS / 2; n != 0; n--) {
            const uint32_t z = z2[i / 32] >> i % 32;

            feistel(&s0, s1, k0);
            next_key(&k0, k1, z & 1);
            feistel(&s1, s0, k1);
            next_key(&k1, k0, z >> 1 & 1);
            i = (uint8_t)(i == 60 ? 0 : i + 2);
        }
        if (--steps == 0) {
            break;
        }
        t = k1, k1 = s1, s1 = t;
        t = k0, k0 = s0, s0 = t;
    }
    store(x, k1);
    store(x + 8, k0);
    store(x + 16, s1);
    store(x + 24, s0);
}
