/* Compares the assembly of Ascon's permutations on two shares with the C: the words that the shares
 * represent, because both draw their own random words. */
#include "compare.h"
#include "masked.h"

void reference_permute(masked_state *s, unsigned constant);

uint32_t pw_random32(void)
{
    uint32_t word;

    fill_random(&word, sizeof word);
    return word;
}

/* A word of the assembly as one of the C, which has the even bits in its first half. */
static ascon_lane as_in_c(ascon_lane x)
{
#if MASKED_WHOLE_LANES
    const uint64_t bits = (uint64_t)x.high << 32 | x.low;
    uint32_t halves[2] = {0, 0};

    for (unsigned i = 0; i < 64; i++) {
        halves[i % 2] |= (uint32_t)(bits >> i & 1) << i / 2;
    }
    return (ascon_lane){halves[0], halves[1]};
#else
    return x;
#endif
}

static void compare_rounds(unsigned constant)
{
    masked_state a, b;

    fill_random(&a, sizeof a);
    for (unsigned i = 0; i < 5; i++) {
        b.x[i].share[0] = as_in_c(a.x[i].share[0]);
        b.x[i].share[1] = as_in_c(masked_aligned(a.x[i].share[1]));
    }
    masked_permute(&a, constant);
    reference_permute(&b, constant);
    for (unsigned i = 0; i < 5; i++) {
        const ascon_lane found = as_in_c(masked_combine(&a.x[i]));
        const ascon_lane expected = ascon_lane_xor(b.x[i].share[0], b.x[i].share[1]);

        compare(&found, &expected, sizeof found);
    }
}

void compare_all(void)
{
    for (unsigned i = 0; i < 20; i++) {
        compare_rounds(ASCON_12_ROUNDS);
        compare_rounds(ASCON_8_ROUNDS);
        compare_rounds(ASCON_6_ROUNDS);
        compare_rounds(ASCON_1_ROUND);
    }
}
