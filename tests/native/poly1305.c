/* Compares the assembly of Poly1305 with its C. */
#define PW_ASM
#include "poly1305.h"

#include "compare.h"

void reference_blocks(poly1305 *state, const uint8_t *blocks, size_t count, uint8_t top);

enum { MOST = 5 };

void compare_all(void)
{
    static uint8_t input[16 * MOST + 3];
    poly1305 a, b;

    for (unsigned i = 0; i < 8 * MOST; i++) {
        const size_t count = i / 8;

        fill_random(&a, sizeof a);
        fill_random(input, sizeof input);
        if (i % 2 != 0) { /* the largest numbers */
            for (unsigned j = 0; j < sizeof a; j++) {
                ((uint8_t *)&a)[j] = 0xff;
            }
            for (unsigned j = 0; j < sizeof input; j++) {
                input[j] = 0xff;
            }
        }
        for (unsigned j = 0; j < 4; j++) {
            a.r[j] &= j == 0 ? UINT32_C(0x0fffffff) : UINT32_C(0x0ffffffc);
        }
        a.a[4] &= 3;
        b = a;
        poly1305_blocks(&a, input + i % 4, count, i % 3 != 0);
        reference_blocks(&b, input + i % 4, count, i % 3 != 0);
        compare(&a, &b, sizeof a);
    }
}
