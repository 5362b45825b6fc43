/* Compares the assembly of GIFT-128 on two shares with the C: the words that the shares represent,
 * because both draw their own random words. */
#include "compare.h"
#include "masked.h"

void reference_encrypt(masked_state *state, const masked_key *key);

uint32_t pw_random32(void)
{
    uint32_t word;

    fill_random(&word, sizeof word);
    return word;
}

void compare_all(void)
{
    static masked_key key;

    for (unsigned i = 0; i < 20; i++) {
        masked_state a, b;

        fill_random(&key, sizeof key);
        fill_equal(&a, &b, sizeof a);
        masked_encrypt(&a, &key);
        reference_encrypt(&b, &key);
        for (unsigned j = 0; j < 4; j++) {
            const uint32_t found = masked_word_combine(&a.s[j]);
            const uint32_t expected = masked_word_combine(&b.s[j]);

            compare(&found, &expected, sizeof found);
        }
    }
}
