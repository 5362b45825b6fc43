/*
 * The duplex object of Subterranean 2.0, in 32-bit words.
 *
 * References: J. Daemen, P. M. C. Massolino, A. Mehrdad, Y. Rotella, "The Subterranean 2.0 Cipher
 * Suite" (submission to NIST's lightweight cryptography project, round 2, 2019; ToSC 2020, S1),
 * section 2; same names.
 *
 * Bit 12^(4k) of the specification is bit 12^(r + 4k) here after r rounds (see subterranean.h). So
 * input and output are the 64 bits of one of four sets, 12^(r mod 4) 176^j, starting at j = r / 4:
 * they are accessed in one order, without any arithmetic, and rotated.
 */
#include "subterranean.h"

#include <limits.h>

#include "inline.h"
#include "unroll.h"

enum { BITS = SUBTERRANEAN_BITS, WORDS = SUBTERRANEAN_UNITS };

/* X(j, 12^i 176^j) for j < 32 in POSITIONS_i. The other 32 are their negatives: 176^32 is -1. */
/* clang-format off */
#define POSITIONS_0(X) \
    X(0, 1) X(1, 176) X(2, 136) X(3, 35) X(4, 249) X(5, 134) X(6, 197) X(7, 234) X(8, 64) \
    X(9, 213) X(10, 223) X(11, 184) X(12, 2) X(13, 95) X(14, 15) X(15, 70) X(16, 241) X(17, 11) \
    X(18, 137) X(19, 211) X(20, 128) X(21, 169) X(22, 189) X(23, 111) X(24, 4) X(25, 190) \
    X(26, 30) X(27, 140) X(28, 225) X(29, 22) X(30, 17) X(31, 165)
#define POSITIONS_1(X) \
    X(0, 12) X(1, 56) X(2, 90) X(3, 163) X(4, 161) X(5, 66) X(6, 51) X(7, 238) X(8, 254) \
    X(9, 243) X(10, 106) X(11, 152) X(12, 24) X(13, 112) X(14, 180) X(15, 69) X(16, 65) \
    X(17, 132) X(18, 102) X(19, 219) X(20, 251) X(21, 229) X(22, 212) X(23, 47) X(24, 48) \
    X(25, 224) X(26, 103) X(27, 138) X(28, 130) X(29, 7) X(30, 204) X(31, 181)
#define POSITIONS_2(X) \
    X(0, 144) X(1, 158) X(2, 52) X(3, 157) X(4, 133) X(5, 21) X(6, 98) X(7, 29) X(8, 221) \
    X(9, 89) X(10, 244) X(11, 25) X(12, 31) X(13, 59) X(14, 104) X(15, 57) X(16, 9) X(17, 42) \
    X(18, 196) X(19, 58) X(20, 185) X(21, 178) X(22, 231) X(23, 50) X(24, 62) X(25, 118) \
    X(26, 208) X(27, 114) X(28, 18) X(29, 84) X(30, 135) X(31, 116)
#define POSITIONS_3(X) \
    X(0, 186) X(1, 97) X(2, 110) X(3, 85) X(4, 54) X(5, 252) X(6, 148) X(7, 91) X(8, 82) \
    X(9, 40) X(10, 101) X(11, 43) X(12, 115) X(13, 194) X(14, 220) X(15, 170) X(16, 108) \
    X(17, 247) X(18, 39) X(19, 182) X(20, 164) X(21, 80) X(22, 202) X(23, 86) X(24, 230) \
    X(25, 131) X(26, 183) X(27, 83) X(28, 216) X(29, 237) X(30, 78) X(31, 107)
/* clang-format on */

/* x mod 257, for x < 2^16: 256 is -1. */
ALWAYS_INLINE uint16_t modulo(uint16_t x)
{
    const uint16_t low = x & 0xff, high = (uint16_t)(x >> 8);

    return (uint16_t)(low >= high ? low - high : low + BITS - high);
}

void subterranean_init(subterranean *x)
{
    for (uint8_t i = 0; i < WORDS; i++) {
        x->s[i] = 0;
    }
    x->step = 1;
    x->rounds = 0;
}

/* Writes two consecutive copies of the state, without a gap. */
ALWAYS_INLINE void repeat(uint32_t twice[2 * WORDS], const uint32_t s[WORDS])
{
    UNROLL
    for (uint8_t i = 0; i < WORDS - 1; i++) {
        twice[i] = s[i];
    }
    twice[WORDS - 1] = s[WORDS - 1] | s[0] << 1;
    UNROLL
    for (uint8_t i = 1; i < WORDS; i++) {
        twice[WORDS - 1 + i] = s[i] << 1 | s[i - 1] >> 31;
    }
    twice[2 * WORDS - 1] = 0;
}

/* The word at an offset of `bits` < 32 bits, a public number, in `from`. */
ALWAYS_INLINE uint32_t shifted(const uint32_t *from, uint8_t bits)
{
    return from[0] >> bits | from[1] << 1 << (31 - bits);
}

/* chi and iota. */
static void chi(uint32_t s[WORDS], uint16_t at_a, uint16_t at_b)
{
    uint32_t twice[2 * WORDS];
    const uint32_t *const a = twice + at_a / 32, *const b = twice + at_b / 32;
    const uint8_t m = at_a % 32, n = at_b % 32;

    repeat(twice, s);
    UNROLL
    for (uint8_t i = 0; i < WORDS; i++) {
        s[i] ^= ~shifted(a + i, m) & shifted(b + i, n);
    }
    s[WORDS - 1] &= 1;
    s[0] ^= 1;
}

/* theta: adds the bits at the distances `at_a` and `at_b`. */
static void theta(uint32_t s[WORDS], uint16_t at_a, uint16_t at_b)
{
    uint32_t twice[2 * WORDS];
    const uint32_t *const a = twice + at_a / 32, *const b = twice + at_b / 32;
    const uint8_t m = at_a % 32, n = at_b % 32;

    repeat(twice, s);
    UNROLL
    for (uint8_t i = 0; i < WORDS; i++) {
        s[i] ^= shifted(a + i, m) ^ shifted(b + i, n);
    }
    s[WORDS - 1] &= 1;
}

/* A round: chi, iota, theta, and pi as a change of the step between bits. */
static void round_function(subterranean *x)
{
    const uint16_t f = x->step;

    chi(x->s, f, modulo((uint16_t)(2 * f)));
    theta(x->s, modulo((uint16_t)(3 * f)), modulo((uint16_t)(8 * f)));
    x->step = modulo((uint16_t)(12 * f));
    x->rounds++;
}

#if UINT_MAX > 0xffff

/* Adds bit j of `low` to position p, and bit j of `high` to -p. */
#define ADD(j, p)                                                                                  \
    s[(p) / 32] ^= (low >> (j) & 1) << (p) % 32;                                                   \
    s[(BITS - (p)) / 32] ^= (high >> (j) & 1) << (BITS - (p)) % 32;

/* Adds 64 bits in the order of a set. */
static void add(uint32_t s[WORDS], uint8_t set, uint32_t low, uint32_t high)
{
    switch (set) {
    case 0:
        POSITIONS_0(ADD)
        break;
    case 1:
        POSITIONS_1(ADD)
        break;
    case 2:
        POSITIONS_2(ADD)
        break;
    default:
        POSITIONS_3(ADD)
        break;
    }
}

void subterranean_duplex(subterranean *x, uint32_t sigma, uint8_t n)
{
    round_function(x);
    if (n == 0) {
        x->s[x->step / 32] ^= UINT32_C(1) << x->step % 32;
    } else {
        const uint8_t by = x->rounds / 4 % 32;
        const uint8_t half = x->rounds >> 7;
        const uint32_t bits[2] = {n == 4 ? sigma : sigma | UINT32_C(1) << 8 * n, n == 4};
        const uint32_t low = bits[half],
                       high = bits[half ^ 1]; /* rotated by 32, and then by less */

        add(x->s, x->rounds % 4, low << by | high >> 1 >> (31 - by),
            high << by | low >> 1 >> (31 - by));
    }
}

/* The sum of the bits at p and -p as bit j. */
#define SUM(j, p)                                                                                  \
    z |= ((s[(p) / 32] >> (p) % 32 ^ s[(BITS - (p)) / 32] >> (BITS - (p)) % 32) & 1) << (j);

uint32_t subterranean_extract(const subterranean *x)
{
    const uint32_t *const s = x->s;
    const uint8_t by = x->rounds / 4 % 32;
    uint32_t z = 0;

    switch (x->rounds % 4) {
    case 0:
        POSITIONS_0(SUM)
        break;
    case 1:
        POSITIONS_1(SUM)
        break;
    case 2:
        POSITIONS_2(SUM)
        break;
    default:
        POSITIONS_3(SUM)
        break;
    }
    return z >> by | z << 1 << (31 - by);
}

#else /* computed instead, since flash on such parts is small */

void subterranean_duplex(subterranean *x, uint32_t sigma, uint8_t n)
{
    uint16_t at;

    round_function(x);
    at = x->step;
    for (uint8_t i = (uint8_t)(8 * n); i != 0; i--) {
        x->s[at / 32] ^= (sigma & 1) << at % 32;
        sigma >>= 1;
        at = modulo((uint16_t)(176U * at));
    }
    x->s[at / 32] ^= UINT32_C(1) << at % 32;
}

uint32_t subterranean_extract(const subterranean *x)
{
    uint16_t at = x->step;
    uint32_t z = 0;

    for (uint8_t i = 32; i != 0; i--) {
        const uint16_t other = (uint16_t)(BITS - at);

        z = z >> 1 | (x->s[at / 32] >> at % 32 ^ x->s[other / 32] >> other % 32) << 31;
        at = modulo((uint16_t)(176U * at));
    }
    return z;
}

#endif

void subterranean_blank(subterranean *x)
{
    for (uint8_t i = 8; i != 0; i--) {
        subterranean_duplex(x, 0, 0);
    }
}
