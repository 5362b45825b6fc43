/* Compares the assembly of Xoodoo on two shares with the C: the lanes that the shares represent,
 * because both draw their own random words. */
#include "compare.h"
#include "masked.h"

void reference_permute(masked_state *s);

uint32_t pw_random32(void)
{
    uint32_t word;

    fill_random(&word, sizeof word);
    return word;
}

void compare_all(void)
{
    for (unsigned i = 0; i < 40; i++) {
        masked_state a, b;

        fill_random(&a, sizeof a);
        for (unsigned j = 0; j < XOODOO_LANES; j++) {
            b.lane[j].share[0] = a.lane[j].share[0];
            b.lane[j].share[1] = masked_word_aligned(a.lane[j].share[1]);
        }
        masked_permute(&a);
        reference_permute(&b);
        for (unsigned j = 0; j < XOODOO_LANES; j++) {
            const uint32_t found = masked_word_combine(&a.lane[j]);
            const uint32_t expected = b.lane[j].share[0] ^ b.lane[j].share[1];

            compare(&found, &expected, sizeof found);
        }
    }
}
