/* Compares the assembly of Xoodoo and Xoodyak with its C. */
#define PW_ASM
#include "blocks.h"
#include "compare.h"

void reference_permute(xoodoo_state *state);
void reference_block(xoodoo_state *s, uint8_t *output, const uint8_t *input, uint8_t length,
                     uint8_t direction);

enum { MOST = 3, LENGTH = MOST * 44 };

COMPARED_STATES(xoodoo_state, LENGTH)

#if XOODYAK_NATIVE_BLOCKS

typedef void taking(xoodoo_state *s, uint8_t *output, const uint8_t *input, size_t blocks);

/* `blocks` blocks of `length` bytes at any address, also in place. */
static void compare_blocks(taking *take, uint8_t length, uint8_t direction, unsigned blocks,
                           unsigned offset)
{
    uint8_t *const in = input + offset, *const out = offset != 0 ? in : output;

    start();
    for (unsigned i = 0; i < blocks; i++) {
        reference_block(&b, expected + i * length, in + i * length, length, direction);
    }
    take(&a, out, in, blocks);
    if (direction != XOODOO_ABSORB) {
        compare(out, expected, blocks * length);
    }
    compare(&a, &b, sizeof a);
}

#endif

void compare_all(void)
{
    for (unsigned i = 0; i < 20; i++) {
        start();
        xoodoo_permute(&a);
        reference_permute(&b);
        compare(&a, &b, sizeof a);
    }
#if XOODYAK_NATIVE_BLOCKS
    for (unsigned blocks = 1; blocks <= MOST; blocks++) {
        for (unsigned offset = 0; offset < 4; offset++) {
            compare_blocks(xoodyak_absorb_44, 44, XOODOO_ABSORB, blocks, offset);
            compare_blocks(xoodyak_absorb_16, 16, XOODOO_ABSORB, blocks, offset);
            compare_blocks(xoodyak_encrypt_24, 24, XOODOO_ENCRYPT, blocks, offset);
            compare_blocks(xoodyak_decrypt_24, 24, XOODOO_DECRYPT, blocks, offset);
        }
    }
#endif
}
