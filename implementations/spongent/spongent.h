/*
 * The permutations Spongent-pi[160] and Spongent-pi[176].
 *
 * References: T. Beyne, Y. L. Chen, C. Dobraunig, B. Mennink, "Elephant v2" (2021), section 2;
 * A. Bogdanov et al., "SPONGENT: A Lightweight Hash Function" (CHES 2011), section 2.
 *
 *   spongent_permute   all rounds, in place, of a state in bytes, least significant first
 *   spongent_permute4  the same for four states, the bytes of which are interleaved: byte i of
 *                      state j is byte j, counted from the least significant one, of word i
 *
 * "variant.h" defines SPONGENT_BYTES, SPONGENT_ROUNDS and the counter's first value,
 * SPONGENT_COUNTER.
 */
#ifndef PENNYWEIGHT_SPONGENT_H
#define PENNYWEIGHT_SPONGENT_H

#include <stdint.h>

#include "variant.h"

/* lCounter in the form added to the first byte of the state, and with its bits reversed, in the
 * form added to the last byte. */
typedef struct {
    uint8_t low, high;
} spongent_counter;

/* lCounter's next value: an LFSR of 7 bits, x^7 + x^6 + 1. */
static inline spongent_counter spongent_next(spongent_counter c)
{
    const uint8_t bit = (uint8_t)((c.low >> 6 ^ c.low >> 5) & 1);

    return (spongent_counter){(uint8_t)((c.low << 1 & 0x7e) | bit),
                              (uint8_t)((c.high >> 1 & 0x7e) | bit << 7)};
}

void spongent_permute(uint8_t *state);
void spongent_permute4(uint32_t *states);

#endif
