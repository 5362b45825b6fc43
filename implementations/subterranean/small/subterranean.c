/*
 * The duplex object of Subterranean 2.0.
 *
 * References: J. Daemen, P. M. C. Massolino, A. Mehrdad, Y. Rotella, "The Subterranean 2.0 Cipher
 * Suite" (submission to NIST's lightweight cryptography project, round 2, 2019; ToSC 2020, S1),
 * section 2; same names.
 */
#include <limits.h>

#include "subterranean.h"

enum {
    UNIT_BITS = SUBTERRANEAN_UNIT_BITS,
    UNITS = SUBTERRANEAN_UNITS,
    DOUBLE_UNITS = 2 * SUBTERRANEAN_BITS / SUBTERRANEAN_UNIT_BITS + 2,
};

/* x mod 257, for x < 2^16: 256 is -1. */
static uint16_t modulo(uint16_t x)
{
    const uint16_t low = x & 0xff, high = (uint16_t)(x >> 8);

    return (uint16_t)(low >= high ? low - high : low + 257 - high);
}

void subterranean_init(subterranean *x)
{
    for (uint8_t i = 0; i < UNITS; i++) {
        x->s[i] = 0;
    }
    x->step = 1;
}

/* Writes two consecutive copies of the state, without a gap. */
static void repeat(subterranean_unit *twice, const subterranean_unit *s)
{
    subterranean_unit before = 0;

    for (uint8_t i = 0; i < UNITS; i++) {
        twice[i] = s[i];
    }
    for (uint8_t i = 0; i < UNITS; i++) {
        const subterranean_unit unit = (subterranean_unit)(s[i] << 1 | before);

        before = (subterranean_unit)(s[i] >> (UNIT_BITS - 1));
        if (i == 0) {
            twice[UNITS - 1] |= unit;
        } else {
            twice[UNITS - 1 + i] = unit;
        }
    }
    twice[2 * UNITS - 1] = 0;
}

/* The unit at an offset of `bits` < UNIT_BITS bits, a public number, in `from`. */
static inline subterranean_unit shifted(const subterranean_unit *from, uint8_t bits)
{
#if UINT_MAX > 0xffff
    return from[0] >> bits | from[1] << 1 << (UNIT_BITS - 1 - bits);
#else
    return (subterranean_unit)((from[0] | (unsigned)from[1] << 8) >> bits);
#endif
}

/* chi and iota, theta, and pi. */
static void round_function(subterranean *x)
{
    subterranean_unit twice[DOUBLE_UNITS > 2 * UNITS ? DOUBLE_UNITS : 2 * UNITS];
    const uint16_t f = x->step;
    const subterranean_unit *a, *b;
    uint16_t at_a = f, at_b = modulo((uint16_t)(2 * f));

    for (uint8_t theta = 0; theta < 2; theta++) {
        repeat(twice, x->s);
        a = twice + at_a / UNIT_BITS;
        b = twice + at_b / UNIT_BITS;
        for (uint8_t i = 0; i < UNITS; i++) {
            const subterranean_unit p = shifted(a + i, at_a % UNIT_BITS);
            const subterranean_unit q = shifted(b + i, at_b % UNIT_BITS);

            x->s[i] ^= (subterranean_unit)(theta ? p ^ q : ~p & q);
        }
        x->s[UNITS - 1] &= 1;
        if (!theta) {
            x->s[0] ^= 1;
        }
        at_a = modulo((uint16_t)(3 * f));
        at_b = modulo((uint16_t)(8 * f));
    }
    x->step = modulo((uint16_t)(12 * f));
}

void subterranean_duplex(subterranean *x, uint32_t sigma, uint8_t n)
{
    uint16_t at;

    round_function(x);
    at = x->step; /* of bit 12^0, the first of the input's; the next is that of 12^4 = 176 */
    for (uint8_t i = (uint8_t)(8 * n);; i--) {
        const subterranean_unit bit = i == 0 ? 1 : (subterranean_unit)(sigma & 1);

        x->s[at / UNIT_BITS] ^= (subterranean_unit)(bit << at % UNIT_BITS);
        if (i == 0) {
            return;
        }
        sigma >>= 1;
        at = modulo((uint16_t)(176U * at));
    }
}

void subterranean_blank(subterranean *x)
{
    for (uint8_t i = 8; i != 0; i--) {
        subterranean_duplex(x, 0, 0);
    }
}

uint32_t subterranean_extract(const subterranean *x)
{
    uint16_t at = x->step;
    uint32_t z = 0;

    for (uint8_t i = 32; i != 0; i--) {
        const uint16_t opposite = (uint16_t)(SUBTERRANEAN_BITS - at);
        const uint8_t bit = (uint8_t)((x->s[at / UNIT_BITS] >> at % UNIT_BITS ^
                                       x->s[opposite / UNIT_BITS] >> opposite % UNIT_BITS) &
                                      1);

        z = z >> 1 | (uint32_t)bit << 31;
        at = modulo((uint16_t)(176U * at));
    }
    return z;
}
