/*
 * Ascon's permutations on pairs of 32-bit halves, for cores without a cheap rotation: ARMv6-M,
 * RV32I. Rotating a word takes two shifts for each half; no conversion is needed.
 *
 * References: NIST SP 800-232 (2025), sections 3.2 to 3.4; Ascon v1.2 (2021), section 2.6.
 */
#include "permutation.h"

#if !ASCON_NATIVE_PERMUTE

#include "sbox.h"

/* One half of each word is in registers at a time, the other in memory: eight registers are not
 * enough for both. Compilers do this automatically, but not when optimising for size. */
#if defined(__GNUC__) && defined(__OPTIMIZE_SIZE__)
#define IN_ORDER() __asm__ volatile("" ::: "memory")
#else
#define IN_ORDER() ((void)0)
#endif

/* The low half of a word rotated right by `n`, a constant from 1 to 63 but 32. For the high half,
 * exchange `low` and `high`. */
static inline uint32_t rotated(uint32_t low, uint32_t high, unsigned n)
{
    return n < 32 ? low >> n ^ high << (32 - n) : high >> (n - 32) ^ low << (64 - n);
}

/* x ^= x >>> a ^ x >>> b, where `low` is read from a register and `high` is written to one. */
#define SIGMA(x, low_half, high_half, a, b)                                                        \
    do {                                                                                           \
        high_half = (x).high;                                                                      \
        (x).low = low_half ^ rotated(low_half, high_half, a) ^ rotated(low_half, high_half, b);    \
        high_half ^= rotated(high_half, low_half, a) ^ rotated(high_half, low_half, b);            \
        IN_ORDER();                                                                                \
    } while (0)

/* The round with constant `c` on the state at `x`, the high halves of which are in registers. */
#define ROUND(c)                                                                                   \
    do {                                                                                           \
        ASCON_SBOX(uint32_t, high0, high1, high2, high3, high4);                                   \
        x[0].high = high0;                                                                         \
        x[1].high = high1;                                                                         \
        x[2].high = high2;                                                                         \
        x[3].high = high3;                                                                         \
        x[4].high = high4;                                                                         \
        IN_ORDER();                                                                                \
                                                                                                   \
        uint32_t low0 = x[0].low, low1 = x[1].low, low2 = x[2].low, low3 = x[3].low;               \
        uint32_t low4 = x[4].low;                                                                  \
        low2 ^= c;                                                                                 \
        ASCON_SBOX(uint32_t, low0, low1, low2, low3, low4);                                        \
                                                                                                   \
        SIGMA(x[0], low0, high0, 19, 28);                                                          \
        SIGMA(x[1], low1, high1, 61, 39);                                                          \
        SIGMA(x[2], low2, high2, 1, 6);                                                            \
        SIGMA(x[3], low3, high3, 10, 17);                                                          \
        SIGMA(x[4], low4, high4, 7, 41);                                                           \
    } while (0)

/* Loads the high halves, and stores them. */
#define LOAD_HIGH()                                                                                \
    uint32_t high0 = x[0].high, high1 = x[1].high, high2 = x[2].high, high3 = x[3].high;           \
    uint32_t high4 = x[4].high

#define STORE_HIGH()                                                                               \
    do {                                                                                           \
        x[0].high = high0;                                                                         \
        x[1].high = high1;                                                                         \
        x[2].high = high2;                                                                         \
        x[3].high = high3;                                                                         \
        x[4].high = high4;                                                                         \
    } while (0)

void ascon_permute(ascon_state *s, unsigned constant)
{
    ascon_lane *x = s->x;
    LOAD_HIGH();

    do {
        ROUND(constant);
        constant -= ASCON_STEP;
    } while (constant != ASCON_END);
    STORE_HIGH();
}

#ifdef ASCON_ABSORBS_BITS

void ascon_absorb_bits(ascon_state *s, const uint8_t *bits)
{
    ascon_lane *x = s->x;
    LOAD_HIGH();

    /* A 1 after the bits of a byte marks its end. */
    for (unsigned i = 16; i != 0; i--) {
        uint32_t left = (uint32_t)*bits++ << 24 | UINT32_C(1) << 23;

        if (i == 1) {
            left = (left & ~(UINT32_C(1) << 23)) | UINT32_C(1) << 24;
        }
        do {
            high0 ^= left & UINT32_C(0x80000000);
            left <<= 1;
            ROUND(ASCON_1_ROUND);
        } while (left != UINT32_C(0x80000000));
    }
    STORE_HIGH();
    ascon_add_bit(s, (uint8_t)(bits[-1] << 7));
}

#endif

#endif
