/*
 * The permutation Gimli, its state, and how the state processes data.
 *
 * References: D. J. Bernstein et al., "Gimli, NIST LWC second round submission" (2019),
 * sections 2.5 to 2.9; same names.
 *
 *   gimli_state    three rows of four words, row by row; words are in memory with the least
 *                  significant byte first
 *   gimli_permute  the 24 rounds, in place
 */
#ifndef PENNYWEIGHT_GIMLI_H
#define PENNYWEIGHT_GIMLI_H

#include <stdint.h>

#include "inline.h"
#include "unit.h"

enum { GIMLI_BYTES = 48, GIMLI_RATE = 16 };

typedef union {
    uint8_t bytes[GIMLI_BYTES];
    uint32_t words[GIMLI_BYTES / 4];
    unit units[GIMLI_BYTES / sizeof(unit)];
} gimli_state;

void gimli_permute(gimli_state *state);

/* How the state processes bytes. */
enum {
    GIMLI_ABSORB,  /* they are added to the state */
    GIMLI_ENCRYPT, /* the same, and the sum is the output */
    GIMLI_DECRYPT, /* the sum is the output, and they replace the state */
};

/* Processes a block. If `aligned`, units_aligned holds for input and output. */
ALWAYS_INLINE void gimli_take_units(gimli_state *s, uint8_t *output, const uint8_t *input,
                                    uint8_t direction, int aligned)
{
    for (uint8_t i = 0; i < GIMLI_RATE / sizeof(unit); i++) {
        const unit in = load_unit_if(input, aligned);
        const unit sum = s->units[i] ^ in;

        s->units[i] = sum;
        if (direction != GIMLI_ABSORB) {
            if (direction == GIMLI_DECRYPT) {
                s->units[i] = in;
            }
            store_unit_if(output, sum, aligned);
            output += sizeof(unit);
        }
        input += sizeof(unit);
    }
}

/* Processes `length` <= GIMLI_RATE bytes, from byte `at` of the state. */
static inline void gimli_take(gimli_state *s, uint8_t at, uint8_t *output, const uint8_t *input,
                              uint8_t length, uint8_t direction)
{
    if (length == GIMLI_RATE) {
        if (units_aligned(input, output)) {
            gimli_take_units(s, output, input, direction, 1);
        } else {
            gimli_take_units(s, output, input, direction, 0);
        }
        return;
    }
    for (uint8_t i = 0; i < length; i++) {
        const uint8_t in = input[i];
        const uint8_t sum = s->bytes[at + i] ^ in;

        s->bytes[at + i] = sum;
        if (direction != GIMLI_ABSORB) {
            if (direction == GIMLI_DECRYPT) {
                s->bytes[at + i] = in;
            }
            output[i] = sum;
        }
    }
}

#endif
