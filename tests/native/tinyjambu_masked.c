/* Compares the assembly of TinyJAMBU's permutation on two shares with the C: the words that the
 * shares represent, because both draw their own random words. */
#include "compare.h"
#include "masked.h"

void reference_permute(masked_state *s, const masked_key *key, unsigned steps);

uint32_t pw_random32(void)
{
    uint32_t word;

    fill_random(&word, sizeof word);
    return word;
}

void compare_all(void)
{
    for (unsigned steps = 1; steps <= 20; steps++) {
        masked_state a, b;
        masked_key key;

        fill_equal(&a, &b, sizeof a);
        fill_random(&key, sizeof key);
        masked_permute(&a, &key, steps);
        reference_permute(&b, &key, steps);
        for (unsigned i = 0; i < 4; i++) {
            const uint32_t found = masked_word_combine(&a.x[i]);
            const uint32_t expected = masked_word_combine(&b.x[i]);

            compare(&found, &expected, sizeof found);
        }
    }
}
