/* Compares the assembly of SipHash with its C, on no word to three. */
#define PW_ASM
#include "native/native.h"

#include "compare.h"

void reference_absorb(uint64_t v[4], const uint8_t *words, size_t count);
void reference_finish(uint64_t v[4]);

void compare_all(void)
{
    uint64_t a[4], b[4];
    uint8_t words[3 * 8 + 3];

    for (unsigned i = 0; i < 16; i++) {
        fill_equal(a, b, sizeof a);
        fill_random(words, sizeof words);
        siphash_absorb(a, words + i % 4, i / 4);
        reference_absorb(b, words + i % 4, i / 4);
        compare(a, b, sizeof a);
        siphash_finish(a);
        reference_finish(b);
        compare(a, b, sizeof a);
    }
}
