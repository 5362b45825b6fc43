/* Grain-128AEADv2 in C, with other names. */
#define grain_clock reference_clock
#define grain_authenticate reference_authenticate
#include "../../implementations/grain/words32/authenticate.c"
#include "../../implementations/grain/words32/clock.c"
#include "../../implementations/grain/words32/separate.c"

#include "bytes.h"

/* Takes 32 bits of m' with the state in the window's first elements, which it moves back there. */
void reference_group(grain_state *g, uint8_t *output, const uint8_t *input, int decrypt)
{
    const uint32_t in = load32_le(input);
    uint32_t y[2], z, r;

    grain_clock(g->window, y, 2, 0);
    for (unsigned i = 0; i < GRAIN_STATE_WORDS; i++) {
        g->window[i] = g->window[i + 2];
    }
    grain_separate(y, &z, &r);
    store32_le(output, in ^ z);
    grain_authenticate(&g->a, decrypt ? in ^ z : in, r);
}
