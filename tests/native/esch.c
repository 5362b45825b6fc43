/* Compares the assembly of Esch with its C. */
#define PW_ASM
#include "api.h"
#include "compare.h"
#include "state.h"

void reference_absorb(sparkle_state *s, const uint8_t *block);
void reference_finalize(sparkle_state *s, const uint8_t *block, uint8_t *digest);

enum { MOST = 4, LENGTH = MOST * ESCH_RATE };

COMPARED_STATES(sparkle_state, LENGTH)

void compare_all(void)
{
    for (unsigned i = 0; i < 4 * MOST; i++) {
        const unsigned offset = i % 4, blocks = 1 + i / 4;

        start();
        for (unsigned j = 0; j < blocks; j++) {
            reference_absorb(&b, input + offset + j * ESCH_RATE);
        }
        esch_absorb_blocks(&a, input + offset, blocks);
        compare(&a, &b, sizeof a);

        start();
        reference_finalize(&b, input + offset, expected);
        esch_finalize(&a, input + offset, output + offset);
        compare(output + offset, expected, CRYPTO_BYTES);
    }
}
