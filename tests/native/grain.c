/* Compares the assembly of Grain-128AEADv2 with its C. */
#define PW_ASM
#include "compare.h"
#include "state.h"

void reference_clock(grain_words *w, uint32_t *y, uint8_t blocks, uint8_t feedback);
void reference_authenticate(grain_authenticator *a, uint32_t m, uint32_t r);
void reference_group(grain_state *g, uint8_t *output, const uint8_t *input, int decrypt);

enum { MOST = 4, LENGTH = 4 * MOST, ABSORB = 0, ENCRYPT, DECRYPT };

COMPARED_STATES(grain_state, LENGTH)

static void compare_clock(uint8_t blocks, uint8_t feedback)
{
    uint32_t own[GRAIN_WINDOW_BLOCKS], other[GRAIN_WINDOW_BLOCKS];

    start();
    grain_clock(a.window, own, blocks, feedback);
    reference_clock(b.window, other, blocks, feedback);
    compare(&a, &b, sizeof a);
    compare(own, other, 4 * blocks);
}

static void compare_authenticator(void)
{
    uint32_t words[2];

    start();
    fill_random(words, sizeof words);
    grain_authenticate(&a.a, words[0], words[1]);
    reference_authenticate(&b.a, words[0], words[1]);
    compare(&a, &b, sizeof a);
}

/* `groups` groups at any address, also in place. */
static void compare_groups(unsigned groups, unsigned direction, unsigned offset)
{
    uint8_t *const in = input + offset, *const out = offset != 0 ? in : output;

    start();
    for (unsigned i = 0; i < groups; i++) {
        reference_group(&b, expected + 4 * i, in + 4 * i, direction == DECRYPT);
    }
    grain_take_groups(a.window, &a.a, direction == ABSORB ? NULL : out, in, groups, direction);
    if (direction != ABSORB) {
        compare(out, expected, 4 * groups);
    }
    compare(a.window, b.window, GRAIN_STATE_WORDS * sizeof *a.window);
    compare(&a.a, &b.a, sizeof a.a);
}

void compare_all(void)
{
    for (uint8_t blocks = 1; blocks <= GRAIN_WINDOW_BLOCKS; blocks++) {
        compare_clock(blocks, 0);
        compare_clock(blocks, 0xff);
        compare_authenticator();
    }
    for (unsigned groups = 1; groups <= MOST; groups++) {
        for (unsigned offset = 0; offset < 4; offset++) {
            compare_groups(groups, ABSORB, offset);
            compare_groups(groups, ENCRYPT, offset);
            compare_groups(groups, DECRYPT, offset);
        }
    }
}
