/* Compares the assembly of GHASH with its C. */
#define PW_ASM
#include "ghash.h"

#include "compare.h"

void reference_update(ghash_state *state, const uint8_t *data, size_t length);

enum { MOST = 4, TIMES = 12 };

COMPARED_STATES(ghash_state, 16 * MOST)

/* The sums of words that ghash_init computes. */
static void set_sums(uint32_t h[9])
{
    h[2] = h[0] ^ h[1];
    h[5] = h[3] ^ h[4];
    h[6] = h[0] ^ h[3];
    h[7] = h[1] ^ h[4];
    h[8] = h[2] ^ h[5];
}

void compare_all(void)
{
    for (unsigned i = 0; i < TIMES * MOST; i++) {
        const uint8_t *const in = input + i % 4;
        const size_t blocks = i / 4 % (MOST + 1);

        start();
        if (i % 3 == 0) { /* words of ones only, whose products have the largest carries */
            for (unsigned j = 0; j < sizeof input; j++) {
                input[j] = 0xff;
            }
            for (unsigned j = 0; j < 9; j++) {
                a.h[j] = UINT32_C(0xffffffff);
            }
            for (unsigned j = 0; j < 4; j++) {
                a.y[j] = 0;
            }
        }
        set_sums(a.h);
        b = a;
        ghash_blocks(&a, in, blocks);
        reference_update(&b, in, 16 * blocks);
        compare(&a, &b, sizeof a);
    }
}
