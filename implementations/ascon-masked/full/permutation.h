/*
 * Ascon's state in shares, with the names that the mode uses.
 *
 * References: see ../masked.h.
 *
 * The key and the state are shared. Associated data, ciphertext, tag and the message itself are
 * not: a word of ciphertext is the sum of the shares of a word of the state and the message's word.
 */
#ifndef PENNYWEIGHT_ASCON_PERMUTATION_H
#define PENNYWEIGHT_ASCON_PERMUTATION_H

#include "direction.h"
#include "masked.h"

#define ascon_state masked_state
#define ascon_key masked_key
#define ascon_permute masked_permute
#define ascon_pad masked_pad
#define ascon_separate masked_separate
#define ascon_output masked_output
#define ascon_set_key masked_set_key
#define ascon_set_state masked_set_state
#define ascon_add_key masked_add_key

/* Absorbs `length` bytes of input, at most 8, as the first bytes of the word `x`. */
static inline void masked_absorb(masked_lane *x, uint8_t *output, const uint8_t *input,
                                 unsigned length, unsigned direction)
{
    uint8_t block[8];

    copy_bytes(block, input, length);
    zero_bytes(block + length, 8 - length);
    ascon_lane in = ascon_lane_load(block);
    if (direction != ASCON_ABSORB) {
        const ascon_lane sum = ascon_lane_xor(masked_combine(x), in);

        ascon_lane_store(block, sum);
        copy_bytes(output, block, length);
        if (direction == ASCON_DECRYPT) {
            /* The message; adding it to the state gives the ciphertext. */
            zero_bytes(block + length, 8 - length);
            in = ascon_lane_load(block);
        }
    }
    masked_add(x, in);
}

/* Absorbs `length` bytes of input into the state, whose current block is empty, and applies the
 * permutation after each full block. Returns the number of bytes in the last block. */
static inline unsigned ascon_duplex(ascon_state *s, unsigned none, uint8_t *output,
                                    const uint8_t *input, size_t length, unsigned direction)
{
    (void)none;
    for (;;) {
        for (unsigned i = 0; i < ASCON_RATE / 8; i++) {
            const size_t left = length > 8 * i ? length - 8 * i : 0;
            const unsigned n = left < 8 ? (unsigned)left : 8;

            if (n != 0) {
                masked_absorb(&s->x[i], direction == ASCON_ABSORB ? NULL : output + 8 * i,
                              input + 8 * i, n, direction);
            }
        }
        if (length < ASCON_RATE) {
            return (unsigned)length;
        }
        masked_permute(s, ASCON_ROUNDS_B);
        if (direction != ASCON_ABSORB) {
            output += ASCON_RATE;
        }
        input += ASCON_RATE;
        length -= ASCON_RATE;
    }
}

#endif
