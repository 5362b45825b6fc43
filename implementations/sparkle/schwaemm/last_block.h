/*
 * A block of Schwaemm as bytes.
 *
 * References: C. Beierle et al., "Schwaemm and Esch" (v1.2, 2021), section 2.3.
 */
#ifndef PENNYWEIGHT_SCHWAEMM_LAST_BLOCK_H
#define PENNYWEIGHT_SCHWAEMM_LAST_BLOCK_H

#include "direction.h"
#include "state.h"

/* The output is the sum of S_L and `length` bytes of input; `block` the plaintext, padded. */
static inline void schwaemm_pad(uint8_t *block, const sparkle_state *s, uint8_t *output,
                                const uint8_t *input, uint8_t length, uint8_t direction)
{
    for (uint8_t i = 0; i < length; i++) {
        uint8_t in = input[i];

        if (direction != SCHWAEMM_ABSORB) {
            const uint8_t out = in ^ s->bytes[i];

            output[i] = out;
            if (direction == SCHWAEMM_DECRYPT) {
                in = out;
            }
        }
        block[i] = in;
    }
    for (uint8_t i = length; i < SCHWAEMM_RATE; i++) {
        block[i] = i == length ? 0x80 : 0;
    }
}

#endif
