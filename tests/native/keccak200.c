/* Compares the assembly of Keccak-p[200, n] with its C. */
#include "keccak200.h"

#include "arm.h"
#include "compare.h"

/* The number of rounds is a multiple of it. */
enum { STEP = PW_ARMV7M ? 3 : 1 };

void reference_permute(uint8_t *state, uint8_t rounds);

void compare_all(void)
{
    static uint8_t a[KECCAK200_BYTES], b[KECCAK200_BYTES];

    for (uint8_t rounds = STEP; rounds <= KECCAK200_ROUNDS; rounds += STEP) {
        fill_equal(a, b, sizeof a);
        keccak200_permute(a, rounds);
        reference_permute(b, rounds);
        compare(a, b, sizeof a);
    }
}
