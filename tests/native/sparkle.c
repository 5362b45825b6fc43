/* Compares the assembly of Sparkle and Schwaemm with its C. */
#define PW_ASM
#define PW_ASM8
#include "compare.h"
#include "direction.h"
#include "state.h"

void reference_permute(sparkle_state *s, unsigned steps);
void reference_block(sparkle_state *s, uint8_t *output, const uint8_t *input, uint8_t direction);

enum { MOST = 3, LENGTH = MOST * SCHWAEMM_RATE };

COMPARED_STATES(sparkle_state, LENGTH)

static void compare_permutation(unsigned steps)
{
    start();
    sparkle_permute(&a, steps);
    reference_permute(&b, steps);
    compare(&a, &b, sizeof a);
}

#ifdef SCHWAEMM_NATIVE
/* `blocks` blocks at any address, also in place. */
static void compare_blocks(unsigned blocks, uint8_t direction, unsigned offset)
{
    uint8_t *const in = input + offset, *const out = offset != 0 ? in : output;

    start();
    for (unsigned i = 0; i < blocks; i++) {
        reference_block(&b, direction == SCHWAEMM_ABSORB ? NULL : expected + i * SCHWAEMM_RATE,
                        in + i * SCHWAEMM_RATE, direction);
    }
    if (direction == SCHWAEMM_ABSORB) {
        schwaemm_absorb_blocks(&a, NULL, in, blocks);
    } else if (direction == SCHWAEMM_ENCRYPT) {
        schwaemm_encrypt_blocks(&a, out, in, blocks);
    } else {
        schwaemm_decrypt_blocks(&a, out, in, blocks);
    }
    if (direction != SCHWAEMM_ABSORB) {
        compare(out, expected, blocks * SCHWAEMM_RATE);
    }
    compare(&a, &b, sizeof a);
}

#endif

void compare_all(void)
{
    for (unsigned blocks = 1; blocks <= MOST; blocks++) {
        compare_permutation(SPARKLE_SLIM);
        compare_permutation(SPARKLE_BIG);
#ifdef SCHWAEMM_NATIVE
        for (unsigned offset = 0; offset < 4; offset++) {
            compare_blocks(blocks, SCHWAEMM_ABSORB, offset);
            compare_blocks(blocks, SCHWAEMM_ENCRYPT, offset);
            compare_blocks(blocks, SCHWAEMM_DECRYPT, offset);
        }
#endif
    }
}
