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
#include "order.h"
#include "variant.h"

typedef union {
    uint8_t bytes[16];
    uint32_t words[4]; /* whose first byte is the least significant, on all machines */
} tinyjambu_state;

/* The complement of the key, so that the complement in every step's NAND need not be computed. */
typedef struct {
    uint32_t complement[TINYJAMBU_KEY_BYTES / 4];
} tinyjambu_key;

static inline void tinyjambu_set_key(tinyjambu_key *key, const uint8_t *bytes)
{
    for (unsigned i = 0; i < TINYJAMBU_KEY_BYTES / 4; i++) {
        key->complement[i] = ~load32_le(bytes + 4 * i);
    }
}

/* P_n for n = 128 * `steps`. */
void tinyjambu_permute(tinyjambu_state *s, const tinyjambu_key *key, unsigned steps);

#include "take_bytes.h"

/* Takes `length` bytes of input, 1 to 4. */
static inline void tinyjambu_take(tinyjambu_state *s, uint8_t *output, const uint8_t *input,
                                  uint8_t length, uint8_t direction)
{
    if (length == TINYJAMBU_RATE) {
        uint32_t in = load32_le(input);

        if (direction != TINYJAMBU_ABSORB) {
            const uint32_t out = in ^ little_endian32(s->words[2]);

            store32_le(output, out);
            if (direction == TINYJAMBU_DECRYPT) {
                in = out;
            }
        }
        s->words[3] ^= little_endian32(in);
    } else {
        tinyjambu_take_bytes(s, output, input, length, direction);
    }
}

#endif
