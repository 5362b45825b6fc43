/*
 * Ascon's permutations on interleaved bits, for cores that rotate 32-bit words for free:
 * ARMv7-M. Rotating a word rotates each of its two parts and swaps them if the amount is
 * odd.
 *
 * References: NIST SP 800-232 (2025), sections 3.2 to 3.4; Ascon v1.2 (2021), section 2.6.
 */
#include "permutation.h"

#if !ASCON_NATIVE_PERMUTE

#include "keep.h"
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

/* x ^= x >>> a ^ x >>> b. In this order each rotation is folded into an addition; compilers would
 * add the two first. */
#define SIGMA(even, odd, a, b)                                                                     \
    do {                                                                                           \
        uint32_t e = even ^ EVEN(even, odd, a), o;                                                 \
        KEEP(e);                                                                                   \
        e ^= EVEN(even, odd, b);                                                                   \
        o = odd ^ ODD(even, odd, a);                                                               \
        KEEP(o);                                                                                   \
        odd = o ^ ODD(even, odd, b);                                                               \
        even = e;                                                                                  \
    } while (0)

/* The round whose constant has the even bits `c_even` and the odd bits `c_odd`. */
#define ROUND(c_even, c_odd)                                                                       \
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

#define LOAD()                                                                                     \
    uint32_t even0 = s->x[0].even, odd0 = s->x[0].odd;                                             \
    uint32_t even1 = s->x[1].even, odd1 = s->x[1].odd;                                             \
    uint32_t even2 = s->x[2].even, odd2 = s->x[2].odd;                                             \
    uint32_t even3 = s->x[3].even, odd3 = s->x[3].odd;                                             \
    uint32_t even4 = s->x[4].even, odd4 = s->x[4].odd

#define STORE()                                                                                    \
    do {                                                                                           \
        s->x[0] = (ascon_lane){even0, odd0};                                                       \
        s->x[1] = (ascon_lane){even1, odd1};                                                       \
        s->x[2] = (ascon_lane){even2, odd2};                                                       \
        s->x[3] = (ascon_lane){even3, odd3};                                                       \
        s->x[4] = (ascon_lane){even4, odd4};                                                       \
    } while (0)

#ifdef ASCON_IN_TURNS

/* Two rounds per iteration: all twelve unrolled would not fit into the instruction caches of such
 * cores. The table holds even and odd bits of the constants in pairs. Not for ISAP-A-128A's single
 * round. */
void ascon_permute(ascon_state *s, unsigned constant)
{
    static const uint32_t constants[6] = {0x0c090c0c, 0x0909090c, 0x0c030c06,
                                          0x09030906, 0x0609060c, 0x0309030c};
    const uint32_t *pair = constants;
    LOAD();

    if (constant == ASCON_8_ROUNDS) {
        pair += 2;
    } else if (constant == ASCON_6_ROUNDS) {
        pair += 3;
    }
    do {
        const uint32_t c = *pair++;

        ROUND(c & 0xff, c >> 8 & 0xff);
        ROUND(c >> 16 & 0xff, c >> 24);
    } while (pair != constants + 6);
    STORE();
}

#else

void ascon_permute(ascon_state *s, unsigned constant)
{
    LOAD();

    switch (constant) {
    case ASCON_12_ROUNDS:
        ROUND(0xc, 0xc);
        ROUND(0x9, 0xc);
        ROUND(0xc, 0x9);
        ROUND(0x9, 0x9); /* fall through */
    case ASCON_8_ROUNDS:
        ROUND(0x6, 0xc);
        ROUND(0x3, 0xc); /* fall through */
    default:
        ROUND(0x6, 0x9);
        ROUND(0x3, 0x9);
        ROUND(0xc, 0x6);
        ROUND(0x9, 0x6);
        ROUND(0xc, 0x3); /* fall through */
    case ASCON_1_ROUND:
        ROUND(0x9, 0x3);
    }
    STORE();
}

#endif

#ifdef ASCON_ABSORBS_BITS

/* The first bit of the state, in x[0].odd: of big-endian members, such as those of ISAP. */
#define FIRST_BIT UINT32_C(0x80000000)

void ascon_absorb_bits(ascon_state *s, const uint8_t *bits)
{
    LOAD();

    /* Half a byte per iteration, with its bits aligned to the state's first bit in turn. */
    for (unsigned half = 0;; half++) {
        const uint32_t left = (uint32_t)bits[half / 2] << (half % 2 == 0 ? 24 : 28);

        odd0 ^= left & FIRST_BIT;
        ROUND(0x9, 0x3);
        odd0 ^= left << 1 & FIRST_BIT;
        ROUND(0x9, 0x3);
        odd0 ^= left << 2 & FIRST_BIT;
        ROUND(0x9, 0x3);
        odd0 ^= left << 3 & FIRST_BIT;
        if (half == 31) {
            break;
        }
        ROUND(0x9, 0x3);
    }
    STORE();
}

#endif

#endif
