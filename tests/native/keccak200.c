/* Compares the assembly of Keccak-p[200, n] with its C. */
#define PW_ASM8
#include "keccak200.h"
#include "compare.h"
#include "native/native.h"

void reference_permute(uint8_t *state, uint8_t rounds);

void compare_all(void)
{
    static uint8_t a[KECCAK200_BYTES], b[KECCAK200_BYTES];

    for (uint8_t rounds = 1; rounds <= KECCAK200_ROUNDS; rounds++) {
        fill_equal(a, b, sizeof a);
        keccak200_permute(a, rounds);
        reference_permute(b, rounds);
        compare(a, b, sizeof a);
    }
}
