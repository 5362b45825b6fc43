/*
 * Data in and out of the state of Xoodoo.
 *
 * References: J. Daemen et al., "Xoodyak, a lightweight cryptographic scheme" (v2, 2021), the mode
 * Cyclist: Crypt() leaves the ciphertext in the state.
 */
#ifndef PENNYWEIGHT_XOODOO_BLOCKS_H
#define PENNYWEIGHT_XOODOO_BLOCKS_H

#include "inline.h"
#include "xoodoo.h"

/* How the state processes bytes. */
enum {
    XOODOO_ABSORB,  /* they are added to the state */
    XOODOO_ENCRYPT, /* the same, and the sum is the output */
    XOODOO_DECRYPT, /* the sum is the output, and they replace the state */
};

/* Processes `count` units. If `aligned`, is_aligned32 holds for input and output. */
ALWAYS_INLINE void xoodoo_take_units(xoodoo_state *s, uint8_t *output, const uint8_t *input,
                                     uint8_t count, uint8_t direction, int aligned)
{
    for (uint8_t i = 0; i < count; i++) {
        const unit in = load_unit_if(input, aligned);
        const unit sum = s->units[i] ^ in;

        s->units[i] = sum;
        if (direction != XOODOO_ABSORB) {
            if (direction == XOODOO_DECRYPT) {
                s->units[i] = in;
            }
            store_unit_if(output, sum, aligned);
            output += sizeof(unit);
        }
        input += sizeof(unit);
    }
}

/* Processes `length` bytes, at most the size of the state. */
static inline void xoodoo_take(xoodoo_state *s, uint8_t *output, const uint8_t *input,
                               uint8_t length, uint8_t direction)
{
    const uint8_t units = length / sizeof(unit);

    if (units_aligned(input, output)) {
        xoodoo_take_units(s, output, input, units, direction, 1);
    } else {
        xoodoo_take_units(s, output, input, units, direction, 0);
    }
    for (uint8_t i = (uint8_t)(units * sizeof(unit)); i < length; i++) {
        const uint8_t in = input[i];
        const uint8_t sum = s->bytes[i] ^ in;

        s->bytes[i] = sum;
        if (direction != XOODOO_ABSORB) {
            if (direction == XOODOO_DECRYPT) {
                s->bytes[i] = in;
            }
            output[i] = sum;
        }
    }
}

#endif
