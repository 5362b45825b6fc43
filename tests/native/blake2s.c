/* Compares the assembly of BLAKE2s with its C. */
#define PW_ASM
#include "blake2.h"
#include "compare.h"

void reference_compress(uint32_t h[8], const uint8_t *block, const uint32_t t[2], uint32_t last);

void compare_all(void)
{
    uint32_t a[8], b[8], t[2];
    _Alignas(4) uint8_t block[64 + 3];

    for (unsigned i = 0; i < 12; i++) {
        const unsigned at = BLAKE2S_ALIGNED ? 0 : i % 4;

        fill_equal(a, b, sizeof a);
        fill_random(t, sizeof t);
        fill_random(block, sizeof block);
        blake2s_compress(a, block + at, t, 0 - (uint32_t)(i % 3 == 0));
        reference_compress(b, block + at, t, i % 3 == 0);
        compare(a, b, sizeof a);
    }
}
