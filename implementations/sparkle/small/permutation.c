/*
 * Sparkle, optimised for code size.
 *
 * References: C. Beierle et al., "Schwaemm and Esch" (v1.2, 2021), section 2.1; same names.
 *
 * ROLL: gcc would unroll the loops at -O3, which made Esch larger than in fast32.
 */
#include "state.h"

#include "alzette8.h"
#include "constants.h"
#include "flash.h"
#include "order.h"
#include "unroll.h"

static const uint32_t constants[8] IN_FLASH = {
    SPARKLE_C0, SPARKLE_C1, SPARKLE_C2, SPARKLE_C3, SPARKLE_C4, SPARKLE_C5, SPARKLE_C6, SPARKLE_C7,
};

/* l(x) = (x + (x << 16)) <<< 16. */
static inline uint32_t ell(uint32_t x)
{
    x ^= x << 16;
    return x << 16 | x >> 16;
}

void sparkle_permute(sparkle_state *state, unsigned steps)
{
    uint32_t *const s = state->words;

    ROLL for (uint8_t i = 0; i != (uint8_t)steps; i++)
    {
        uint32_t tx = 0, ty = 0;

        s[1] ^= little_endian32(flash_u32(&constants[i % 8]));
        state->bytes[12] ^= i;
        ROLL for (uint8_t j = 0; j < SPARKLE_BRANCHES; j++)
        {
            uint32_t x = little_endian32(s[2 * j]), y = little_endian32(s[2 * j + 1]);

            alzette(&x, &y, flash_u32(&constants[j]));
            s[2 * j] = little_endian32(x);
            s[2 * j + 1] = little_endian32(y);
            if (j < SPARKLE_BRANCHES / 2) {
                tx ^= x;
                ty ^= y;
            }
        }
        /* The left branches become right ones; their sums with the right ones become the left
         * branches one place before. */
        tx = little_endian32(ell(tx));
        ty = little_endian32(ell(ty));
        uint32_t first[2], *to = first;
        ROLL for (uint8_t j = 0; j < SPARKLE_BRANCHES; j = (uint8_t)(j + 2))
        {
            uint32_t *const left = s + j, *const right = s + SPARKLE_BRANCHES + j;

            to[0] = right[0] ^ left[0] ^ ty;
            to[1] = right[1] ^ left[1] ^ tx;
            right[0] = left[0];
            right[1] = left[1];
            to = left;
        }
        to[0] = first[0];
        to[1] = first[1];
    }
}
