/*
 * Sparkle for 8-bit machines.
 *
 * References: C. Beierle et al., "Schwaemm and Esch" (v1.2, 2021), section 2.1; same names.
 */
#include "state.h"

#ifndef SPARKLE_NATIVE_PERMUTE

#include "alzette8.h"
#include "constants.h"
#include "flash.h"
#include "linear.h"

static const uint32_t constants[8] IN_FLASH = {
    SPARKLE_C0, SPARKLE_C1, SPARKLE_C2, SPARKLE_C3, SPARKLE_C4, SPARKLE_C5, SPARKLE_C6, SPARKLE_C7,
};

/* The ARX-box of a branch. */
#define BRANCH(i, constant)                                                                        \
    do {                                                                                           \
        uint32_t x = little_endian32(s[2 * (i)]), y = little_endian32(s[2 * (i) + 1]);             \
        alzette(&x, &y, constant);                                                                 \
        s[2 * (i)] = little_endian32(x);                                                           \
        s[2 * (i) + 1] = little_endian32(y);                                                       \
        KEEP_POINTER(s);                                                                           \
    } while (0)

void sparkle_permute(sparkle_state *state, unsigned steps)
{
    uint32_t *s = state->words;

    for (uint8_t i = 0; i < (uint8_t)steps; i++) {
        KEEP_POINTER(s);
        s[1] ^= little_endian32(flash_u32(&constants[i % 8]));
        s[3] ^= little_endian32(i);
        KEEP_POINTER(s);
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

#endif
