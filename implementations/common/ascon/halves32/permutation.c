/*
 * Ascon's permutations on pairs of 32-bit halves, for cores without a cheap rotation: ARMv6-M,
 * RV32I. A rotation of a word is two shifts for each half, and nothing has to be converted.
 *
 * References: NIST SP 800-232 (2025), sections 3.2 to 3.4; Ascon v1.2 (2021), section 2.6.
 */
#include "permutation.h"

#include "sbox.h"

/* The low half of a word rotated right by `n`, a constant from 1 to 63 but 32. The high half is
 * had by exchanging `low` and `high`. */
static inline uint32_t rotated(uint32_t low, uint32_t high, unsigned n)
{
    return n < 32 ? low >> n ^ high << (32 - n) : high >> (n - 32) ^ low << (64 - n);
}

/* x ^= x >>> a ^ x >>> b. */
#define SIGMA(low, high, a, b)                                                                     \
    do {                                                                                           \
        const uint32_t old = low;                                                                  \
        low ^= rotated(old, high, a) ^ rotated(old, high, b);                                      \
        high ^= rotated(high, old, a) ^ rotated(high, old, b);                                     \
    } while (0)

void ascon_permute(ascon_state *s, unsigned constant)
{
    uint32_t low0 = s->x[0].low, high0 = s->x[0].high;
    uint32_t low1 = s->x[1].low, high1 = s->x[1].high;
    uint32_t low2 = s->x[2].low, high2 = s->x[2].high;
    uint32_t low3 = s->x[3].low, high3 = s->x[3].high;
    uint32_t low4 = s->x[4].low, high4 = s->x[4].high;

    for (; constant != ASCON_END; constant -= ASCON_STEP) {
        low2 ^= constant;
        ASCON_SBOX(uint32_t, low0, low1, low2, low3, low4);
        ASCON_SBOX(uint32_t, high0, high1, high2, high3, high4);
        SIGMA(low0, high0, 19, 28);
        SIGMA(low1, high1, 61, 39);
        SIGMA(low2, high2, 1, 6);
        SIGMA(low3, high3, 10, 17);
        SIGMA(low4, high4, 7, 41);
    }
    s->x[0] = (ascon_lane){low0, high0};
    s->x[1] = (ascon_lane){low1, high1};
    s->x[2] = (ascon_lane){low2, high2};
    s->x[3] = (ascon_lane){low3, high3};
    s->x[4] = (ascon_lane){low4, high4};
}
