/* Compares the assembly of SHA-512 with its C. */
#define PW_ASM
#include "sha512.h"

#include "compare.h"

void reference_compress(uint64_t h[8], const uint8_t *block);

void compare_all(void)
{
    uint64_t a[8], b[8];
    uint8_t block[128 + 3];

    for (unsigned i = 0; i < 12; i++) {
        fill_equal(a, b, sizeof a);
        fill_random(block, sizeof block);
        sha512_compress(a, block + i % 4);
        reference_compress(b, block + i % 4);
        compare(a, b, sizeof a);
    }
}
