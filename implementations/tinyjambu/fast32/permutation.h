/*
 * TinyJAMBU's state and key as words of 32 bits.
 *
 * References: H. Wu, T. Huang, "TinyJAMBU" (Version 2, 2021), section 3.2.
 */
#ifndef PENNYWEIGHT_TINYJAMBU_PERMUTATION_H
#define PENNYWEIGHT_TINYJAMBU_PERMUTATION_H

#include <stdint.h>

#include "bytes.h"
#include "direction.h"
#include "unit.h"
#include "variant.h"

typedef union {
    uint8_t bytes[16];
    uint32_t words[4]; /* first byte least significant, on all machines */
} tinyjambu_state;

/* The complement of the key, so that the complement in every step's NAND need not be computed. */
typedef struct {
    uint32_t complement[TINYJAMBU_KEY_BYTES / 4];
} tinyjambu_key;

/* Sets the key to TINYJAMBU_KEY_BYTES bytes. */
static inline void tinyjambu_set_key(tinyjambu_key *key, const uint8_t *bytes)
{
    for (unsigned i = 0; i < TINYJAMBU_KEY_BYTES / 4; i++) {
        key->complement[i] = ~load32_le(bytes + 4 * i);
    }
}

/* P_n for n = 128 * `steps`. */
void tinyjambu_permute(tinyjambu_state *s, const tinyjambu_key *key, unsigned steps);

#include "take_bytes.h"

/* Processes four bytes of input. If `aligned`, is_aligned32 holds for input and output. */
ALWAYS_INLINE void tinyjambu_take_word(tinyjambu_state *s, uint8_t *output, const uint8_t *input,
                                       uint8_t direction, int aligned)
{
    unit in = load_unit_if(input, aligned);

    if (direction != TINYJAMBU_ABSORB) {
        const unit out = in ^ s->words[2];

        store_unit_if(output, out, aligned);
        if (direction == TINYJAMBU_DECRYPT) {
            in = out;
        }
    }
    s->words[3] ^= in;
}

/* Processes `length` bytes of input, 1 to 4. */
static inline void tinyjambu_take(tinyjambu_state *s, uint8_t *output, const uint8_t *input,
                                  uint8_t length, uint8_t direction)
{
    if (length != TINYJAMBU_RATE) {
        tinyjambu_take_bytes(s, output, input, length, direction);
    } else if (units_aligned(input, output)) {
        tinyjambu_take_word(s, output, input, direction, 1);
    } else {
        tinyjambu_take_word(s, output, input, direction, 0);
    }
}

#endif
