/*
 * The feedback function of Schwaemm on bytes.
 *
 * References: C. Beierle et al., "Schwaemm and Esch" (v1.2, 2021), section 2.3; same names.
 */
#ifndef PENNYWEIGHT_SCHWAEMM_RHO_H
#define PENNYWEIGHT_SCHWAEMM_RHO_H

#include "last_block.h"

/* The output is the sum of S_L and `length` bytes of input; S_L = FeistelSwap(S_L) + the plaintext,
 * padded, + S_R. */
static inline void schwaemm_take(sparkle_state *s, uint8_t *output, const uint8_t *input,
                                 uint8_t length, uint8_t direction)
{
    uint8_t block[SCHWAEMM_RATE];

    schwaemm_pad(block, s, output, input, length, direction);
    for (uint8_t i = 0; i < SCHWAEMM_RATE / 2; i++) {
        const uint8_t j = (uint8_t)(i + SCHWAEMM_RATE / 2);
        const uint8_t s1 = s->bytes[i], s2 = s->bytes[j];

        s->bytes[i] = s2 ^ block[i] ^ s->bytes[SCHWAEMM_RATE + i];
        s->bytes[j] = s2 ^ s1 ^ block[j] ^ s->bytes[SCHWAEMM_RATE + j % SCHWAEMM_CAPACITY];
    }
}

#endif
