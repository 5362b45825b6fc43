/* Compares the assembly of TinyJAMBU-128's permutation with its C. */
#define PW_ASM
#include "compare.h"
#include "permutation.h"

void reference_permute(tinyjambu_state *s, const tinyjambu_key *key, unsigned steps);

void compare_all(void)
{
    tinyjambu_key key;
    tinyjambu_state a, b;

    for (unsigned steps = 1; steps <= 11; steps++) {
        fill_random(&key, sizeof key);
        fill_equal(&a, &b, sizeof a);
        tinyjambu_permute(&a, &key, steps);
        reference_permute(&b, &key, steps);
        compare(&a, &b, sizeof a);
    }
}
