/* Compares the assembly of SHA-256 with its C, on no block to three. */
#define PW_ASM
#include "sha256.h"

#include "compare.h"

void reference_compress(uint32_t h[8], const uint8_t *blocks, size_t count);

void compare_all(void)
{
    uint32_t a[8], b[8];
    uint8_t blocks[3 * 64 + 3];

    for (unsigned i = 0; i < 16; i++) {
        fill_equal(a, b, sizeof a);
        fill_random(blocks, sizeof blocks);
        sha256_compress(a, blocks + i % 4, i / 4);
        reference_compress(b, blocks + i % 4, i / 4);
        compare(a, b, sizeof a);
    }
}
