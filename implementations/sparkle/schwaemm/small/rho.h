/*
 * The feedback function of Schwaemm, optimised for code size: one copy for all directions, which
 * compilers would otherwise duplicate.
 *
 * References: C. Beierle et al., "Schwaemm and Esch" (v1.2, 2021), section 2.3; same names.
 */
#ifndef PENNYWEIGHT_SCHWAEMM_RHO_H
#define PENNYWEIGHT_SCHWAEMM_RHO_H

#include "bytes.h"
#include "direction.h"
#include "inline.h"
#include "keep.h"
#include "state.h"
#include "unroll.h"

/* As schwaemm_take below. SCHWAEMM_ABSORB discards the output. */
NEVER_INLINE void schwaemm_take_bytes(sparkle_state *s, uint8_t *output, const uint8_t *input,
                                      uint8_t length, uint8_t direction)
{
    const uint8_t mask = direction == SCHWAEMM_DECRYPT ? 0xff : 0;
    uint8_t block[SCHWAEMM_RATE];

    if (direction == SCHWAEMM_ABSORB) {
        output = block; /* which is written after it */
    }
    zero_bytes(block, sizeof block);
    if (length < SCHWAEMM_RATE) {
        block[length] = 0x80;
    }
    ROLL for (uint8_t i = 0; i < length; i++)
    {
        const uint8_t in = input[i], byte = s->bytes[i];

        output[i] = in ^ byte;
        block[i] = in ^ (byte & mask);
    }
    ROLL for (uint8_t i = 0; i < SCHWAEMM_RATE / 2; i++)
    {
        const uint8_t j = (uint8_t)(i + SCHWAEMM_RATE / 2);
        const uint8_t s1 = s->bytes[i], s2 = s->bytes[j];

        s->bytes[i] = s2 ^ block[i] ^ s->bytes[SCHWAEMM_RATE + i];
        s->bytes[j] = s2 ^ s1 ^ block[j] ^ s->bytes[SCHWAEMM_RATE + j % SCHWAEMM_CAPACITY];
    }
}

/* The output is the sum of S_L and `length` bytes of input; S_L = FeistelSwap(S_L) + the plaintext,
 * padded, + S_R. */
ALWAYS_INLINE void schwaemm_take(sparkle_state *s, uint8_t *output, const uint8_t *input,
                                 uint8_t length, uint8_t direction)
{
    KEEP(direction); /* otherwise duplicated for each */
    schwaemm_take_bytes(s, output, input, length, direction);
}

#endif
