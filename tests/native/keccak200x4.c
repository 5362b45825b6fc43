/* Compares the assembly of Keccak-f[200] of four states with its C. */
#include "keccak200.h"

#include "compare.h"

void reference_permute4(uint32_t *states);

void compare_all(void)
{
    static uint32_t a[KECCAK200_BYTES], b[KECCAK200_BYTES];

    for (unsigned i = 0; i < 4; i++) {
        fill_equal(a, b, sizeof a);
        keccak200_permute4(a);
        reference_permute4(b);
        compare(a, b, sizeof a);
    }
}
