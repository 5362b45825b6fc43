/*
 * Sparkle on words of 32 bits.
 *
 * References: C. Beierle et al., "Schwaemm and Esch" (v1.2, 2021), section 2.1; names as there.
 *
 * The linear layer is part of the ARX-boxes of the right branches: each word is loaded and stored
 * once for every time it changes.
 */
#include "state.h"

#include "constants.h"
#include "keep.h"
#include "linear.h"
#include "order.h"
#include "rotate.h"

#define HALF (SPARKLE_BRANCHES / 2)

/* A_c. The last rotation is made of shifts, which takes no register for the amount. */
#define ALZETTE(x, y, c)                                                                           \
    do {                                                                                           \
        x += rotr32(y, 31);                                                                        \
        y ^= rotr32(x, 24);                                                                        \
        x ^= c;                                                                                    \
        x += rotr32(y, 17);                                                                        \
        y ^= rotr32(x, 17);                                                                        \
        x ^= c;                                                                                    \
        x += y;                                                                                    \
        y ^= rotr32(x, 31);                                                                        \
        x ^= c;                                                                                    \
        x += rotr32(y, 24);                                                                        \
        y ^= x << 16;                                                                              \
        KEEP(y);                                                                                   \
        y ^= x >> 16;                                                                              \
        x ^= c;                                                                                    \
    } while (0)

static const uint32_t constants[8] = {
    SPARKLE_C0, SPARKLE_C1, SPARKLE_C2, SPARKLE_C3, SPARKLE_C4, SPARKLE_C5, SPARKLE_C6, SPARKLE_C7,
};

/* The ARX-box of branch i. KEEP has its words stored: there are no registers for all. */
#define BRANCH(i, constant)                                                                        \
    do {                                                                                           \
        uint32_t x = little_endian32(s[2 * (i)]), y = little_endian32(s[2 * (i) + 1]);             \
        uint32_t c = constant;                                                                     \
        KEEP_AFTER(c, x);                                                                          \
        ALZETTE(x, y, c);                                                                          \
        s[2 * (i)] = little_endian32(x);                                                           \
        s[2 * (i) + 1] = little_endian32(y);                                                       \
        KEEP_POINTER(s);                                                                           \
    } while (0)

void sparkle_permute(sparkle_state *state, unsigned steps)
{
    uint32_t *s = state->words;

    for (unsigned i = 0; i < steps; i++) {
        /* The constants of the steps are those of the branches, again and again. */
        s[1] ^= little_endian32(constants[i % 8]);
        s[3] ^= little_endian32(i);
        BRANCH(0, SPARKLE_C0);
        BRANCH(1, SPARKLE_C1);
        BRANCH(2, SPARKLE_C2);
        BRANCH(3, SPARKLE_C3);
#if SPARKLE_BRANCHES > 4
        BRANCH(4, SPARKLE_C4);
        BRANCH(5, SPARKLE_C5);
#endif
#if SPARKLE_BRANCHES > 6
        BRANCH(6, SPARKLE_C6);
        BRANCH(7, SPARKLE_C7);
#endif
        s = linear_layer(s);
    }
}
