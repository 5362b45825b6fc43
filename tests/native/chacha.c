/* Compares the assembly of ChaCha20 with its C. */
#define PW_ASM
#include "chacha20.h"
#include "compare.h"

void reference_block(uint32_t block[16], const uint32_t state[16]);
void reference_encrypt(uint32_t state[16], uint8_t *output, const uint8_t *input, size_t length);

enum { MOST = 3 };

void compare_all(void)
{
    static uint32_t a[16], b[16], block[16], expected_block[16];
#if CHACHA20_NATIVE_BLOCKS
    static uint8_t input[64 * MOST + 3], output[64 * MOST], expected[64 * MOST];
#endif

    for (unsigned i = 0; i < 4 * MOST; i++) {
        fill_equal(a, b, sizeof a);
        chacha20_block(block, a);
        reference_block(expected_block, a);
        compare(block, expected_block, sizeof block);
#if CHACHA20_NATIVE_BLOCKS
        const unsigned blocks = 1 + i / 4;
        uint8_t *const in = input + i % 4, *const out = i % 2 != 0 ? in : output;

        fill_random(input, sizeof input);
        reference_encrypt(b, expected, in, 64 * blocks);
        chacha20_encrypt_blocks(a, out, in, blocks);
        compare(out, expected, 64 * blocks);
        compare(a, b, sizeof a);
#endif
    }
}
