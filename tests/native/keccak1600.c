/* Compares the assembly of Keccak-f[1600] with its C. */
#include "keccak1600.h"

#include "compare.h"

void reference_permute(keccak1600_state *state);

void compare_all(void)
{
    keccak1600_state a, b;

    for (unsigned i = 0; i < 20; i++) {
        fill_equal(&a, &b, sizeof a);
        keccak1600_permute(&a);
        reference_permute(&b);
        compare(&a, &b, sizeof a);
    }
}
