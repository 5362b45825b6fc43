/* Compares the assembly of Keccak-p[400] with its C. */
#include "keccak400.h"

#include "arm.h"
#include "compare.h"
#include "variant.h"

/* The number of rounds is a multiple of it. */
enum { STEP = PW_ARMV7M ? 4 : 2 };

void reference_permute(keccak400_state *state, uint8_t rounds);
void reference_absorb_bits(keccak400_state *state, const uint8_t *bits);

/* Two equal states of random lanes. */
static void fill(keccak400_state *a, keccak400_state *b)
{
    uint16_t lanes[KECCAK400_LANES];

    fill_random(lanes, sizeof lanes);
    for (unsigned i = 0; i < KECCAK400_LANES; i++) {
        a->a[i] = KECCAK400_LANE(lanes[i]);
        b->a[i] = a->a[i];
    }
}

void compare_all(void)
{
    keccak400_state a, b;

    for (uint8_t rounds = STEP; rounds <= KECCAK400_ROUNDS; rounds += STEP) {
        fill(&a, &b);
        keccak400_permute(&a, rounds);
        reference_permute(&b, rounds);
        compare(&a, &b, sizeof a);
    }
#ifdef KECCAK_BIT_BY_BIT
    for (unsigned i = 0; i < 4; i++) {
        uint8_t bits[16 + 3];

        fill(&a, &b);
        fill_random(bits, sizeof bits);
        keccak400_absorb_bits(&a, bits + i);
        reference_absorb_bits(&b, bits + i);
        compare(&a, &b, sizeof a);
    }
#endif
}
