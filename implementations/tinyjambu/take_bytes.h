/*
 * Data in and out of TinyJAMBU's state, a byte at a time.
 *
 * References: H. Wu, T. Huang, "TinyJAMBU" (Version 2, 2021), sections 3.3.2, 3.3.3 and 3.3.5.
 *
 * The representation defines tinyjambu_state with its `bytes`.
 */
#ifndef PENNYWEIGHT_TINYJAMBU_TAKE_BYTES_H
#define PENNYWEIGHT_TINYJAMBU_TAKE_BYTES_H

#include <stdint.h>

#include "direction.h"

/* Processes `length` bytes of input, 1 to 4: they go to bits 96 and up, the key stream is at bits
 * 64 and up. The length of an incomplete block goes to bits 32 and 33. */
static inline void tinyjambu_take_bytes(tinyjambu_state *s, uint8_t *output, const uint8_t *input,
                                        uint8_t length, uint8_t direction)
{
    for (uint8_t i = 0; i < length; i++) {
        uint8_t in = input[i];

        if (direction != TINYJAMBU_ABSORB) {
            const uint8_t out = in ^ s->bytes[8 + i];

            output[i] = out;
            if (direction == TINYJAMBU_DECRYPT) {
                in = out;
            }
        }
        s->bytes[12 + i] ^= in;
    }
    s->bytes[4] ^= length % TINYJAMBU_RATE;
}

#endif
