/*
 * Ascon's permutations on pairs of 32-bit halves, for cores without a cheap rotation: ARMv6-M,
 * RV32I. A rotation of a word is two shifts for each half, and nothing has to be converted.
 *
 * References: NIST SP 800-232 (2025), sections 3.2 to 3.4; Ascon v1.2 (2021), section 2.6.
 */
#include "permutation.h"

#include "sbox.h"

/* One half of each word is in registers at a time, the other in memory: eight registers are not
 * enough for both. Compilers find this out by themselves, but not when they optimize for size. */
#if defined(__GNUC__) && defined(__OPTIMIZE_SIZE__)
#define IN_ORDER() __asm__ volatile("" ::: "memory")
#else
#define IN_ORDER() ((void)0)
#endif

/* The low half of a word rotated right by `n`, a constant from 1 to 63 but 32. The high half is
 * had by exchanging `low` and `high`. */
static inline uint32_t rotated(uint32_t low, uint32_t high, unsigned n)
{
    return n < 32 ? low >> n ^ high << (32 - n) : high >> (n - 32) ^ low << (64 - n);
}

/* x ^= x >>> a ^ x >>> b, where `low` comes from and `high` goes to a register. */
#define SIGMA(x, low_half, high_half, a, b)                                                        \
    do {                                                                                           \
        high_half = (x).high;                                                                      \
        (x).low = low_half ^ rotated(low_half, high_half, a) ^ rotated(low_half, high_half, b);    \
        high_half ^= rotated(high_half, low_half, a) ^ rotated(high_half, low_half, b);            \
        IN_ORDER();                                                                                \
    } while (0)

void ascon_permute(ascon_state *s, unsigned constant)
{
    ascon_lane *x = s->x;
    uint32_t high0 = x[0].high, high1 = x[1].high, high2 = x[2].high, high3 = x[3].high;
    uint32_t high4 = x[4].high;

    do {
        ASCON_SBOX(uint32_t, high0, high1, high2, high3, high4);
        x[0].high = high0;
        x[1].high = high1;
        x[2].high = high2;
        x[3].high = high3;
        x[4].high = high4;
        IN_ORDER();

        uint32_t low0 = x[0].low, low1 = x[1].low, low2 = x[2].low, low3 = x[3].low;
        uint32_t low4 = x[4].low;
        low2 ^= constant;
        ASCON_SBOX(uint32_t, low0, low1, low2, low3, low4);

        SIGMA(x[0], low0, high0, 19, 28);
        SIGMA(x[1], low1, high1, 61, 39);
        SIGMA(x[2], low2, high2, 1, 6);
        SIGMA(x[3], low3, high3, 10, 17);
        SIGMA(x[4], low4, high4, 7, 41);
        constant -= ASCON_STEP;
    } while (constant != ASCON_END);
    x[0].high = high0;
    x[1].high = high1;
    x[2].high = high2;
    x[3].high = high3;
    x[4].high = high4;
}
