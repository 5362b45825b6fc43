/* Compares the assembly of SKINNY-128-384+ on two blocks with its C. */
#define PW_ASM
#include "compare.h"
#include "skinny128.h"

void reference_encrypt_both(uint8_t *a, uint8_t *b, const uint8_t *tk1, const uint8_t *tk2,
                            const uint8_t *tk3);

void compare_all(void)
{
    uint8_t tweakey[3][16 + 3], a[16 + 3], b[16 + 3], c[16 + 3], d[16 + 3];

    for (unsigned i = 0; i < 12; i++) {
        const unsigned offset = i % 4;

        fill_random(tweakey, sizeof tweakey);
        fill_equal(a, c, sizeof a);
        fill_equal(b, d, sizeof b);
        skinny128_encrypt_both(a + offset, b + offset, tweakey[0] + offset, tweakey[1] + offset,
                               tweakey[2] + offset);
        reference_encrypt_both(c + offset, d + offset, tweakey[0] + offset, tweakey[1] + offset,
                               tweakey[2] + offset);
        compare(a, c, sizeof a);
        compare(b, d, sizeof b);
    }
}
