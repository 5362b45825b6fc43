/*
 * Ascon's permutations on interleaved bits, for cores that rotate 32-bit words at no cost: ARMv7-M.
 * A rotation of a word becomes a rotation of each of its two parts, which change places if the
 * amount is odd.
 *
 * References: NIST SP 800-232 (2025), sections 3.2 to 3.4; Ascon v1.2 (2021), section 2.6.
 */
#include "permutation.h"

#include "rotate.h"
#include "sbox.h"

/* x >>> n */
static inline uint32_t rotated(uint32_t x, unsigned n)
{
    return n == 0 ? x : rotr32(x, n);
}

/* The even bits of a word rotated right by `n`, and the odd ones. */
#define EVEN(even, odd, n) ((n) % 2 == 0 ? rotated(even, (n) / 2) : rotated(odd, (n) / 2))
#define ODD(even, odd, n) ((n) % 2 == 0 ? rotated(odd, (n) / 2) : rotated(even, ((n) / 2 + 1) % 32))

/* x ^= x >>> a ^ x >>> b. */
#define SIGMA(even, odd, a, b)                                                                     \
    do {                                                                                           \
        const uint32_t old = even;                                                                 \
        even ^= EVEN(old, odd, a) ^ EVEN(old, odd, b);                                             \
        odd ^= ODD(old, odd, a) ^ ODD(old, odd, b);                                                \
    } while (0)

/* The round with constant `c`, of which the even and the odd bits are `c_even` and `c_odd`. */
#define ROUND(c, c_even, c_odd)                                                                    \
    do {                                                                                           \
        even2 ^= c_even;                                                                           \
        odd2 ^= c_odd;                                                                             \
        ASCON_SBOX(uint32_t, even0, even1, even2, even3, even4);                                   \
        ASCON_SBOX(uint32_t, odd0, odd1, odd2, odd3, odd4);                                        \
        SIGMA(even0, odd0, 19, 28);                                                                \
        SIGMA(even1, odd1, 61, 39);                                                                \
        SIGMA(even2, odd2, 1, 6);                                                                  \
        SIGMA(even3, odd3, 10, 17);                                                                \
        SIGMA(even4, odd4, 7, 41);                                                                 \
    } while (0)

void ascon_permute(ascon_state *s, unsigned constant)
{
    uint32_t even0 = s->x[0].even, odd0 = s->x[0].odd;
    uint32_t even1 = s->x[1].even, odd1 = s->x[1].odd;
    uint32_t even2 = s->x[2].even, odd2 = s->x[2].odd;
    uint32_t even3 = s->x[3].even, odd3 = s->x[3].odd;
    uint32_t even4 = s->x[4].even, odd4 = s->x[4].odd;

    switch (constant) {
    case ASCON_12_ROUNDS:
        ROUND(0xf0, 0xc, 0xc);
        ROUND(0xe1, 0x9, 0xc);
        ROUND(0xd2, 0xc, 0x9);
        ROUND(0xc3, 0x9, 0x9); /* fall through */
    case ASCON_8_ROUNDS:
        ROUND(0xb4, 0x6, 0xc);
        ROUND(0xa5, 0x3, 0xc); /* fall through */
    default:
        ROUND(0x96, 0x6, 0x9);
        ROUND(0x87, 0x3, 0x9);
        ROUND(0x78, 0xc, 0x6);
        ROUND(0x69, 0x9, 0x6);
        ROUND(0x5a, 0xc, 0x3); /* fall through */
    case ASCON_1_ROUND:
        ROUND(0x4b, 0x9, 0x3);
    }
    s->x[0] = (ascon_lane){even0, odd0};
    s->x[1] = (ascon_lane){even1, odd1};
    s->x[2] = (ascon_lane){even2, odd2};
    s->x[3] = (ascon_lane){even3, odd3};
    s->x[4] = (ascon_lane){even4, odd4};
}
