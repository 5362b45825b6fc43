/*
 * The permutations sLiSCP-light-192, sLiSCP-light-256 and ACE, and their states.
 *
 * References: R. AlTawy et al., "SpoC and SPIX: ..., submissions to the NIST LWC competition"
 * (2019); M. Aagaard et al., "ACE: An Authenticated Encryption and Hash Algorithm, Submission to
 * the NIST LWC Competition" (2019), section 2; same names.
 *
 *   sliscp_state    blocks of two words, of which the most significant byte is the first
 *   sliscp_permute  the first `steps` steps, in place
 *
 * "variant.h" defines SLISCP_BLOCKS, 4 for sLiSCP-light-256 and 5 for ACE, SLISCP_STEPS,
 * SLISCP_RATE, SLISCP_FIRST and SLISCP_SECOND, the bytes at which the two halves of the rate begin,
 * and the parameters of the mode.
 */
#ifndef PENNYWEIGHT_SLISCP_H
#define PENNYWEIGHT_SLISCP_H

#include <stdint.h>

#include "variant.h"

enum { SLISCP_BYTES = 2 * SLISCP_WORD_BYTES * SLISCP_BLOCKS };

typedef struct {
    uint32_t x[2 * SLISCP_BLOCKS];
} sliscp_state;

void sliscp_permute(sliscp_state *state, uint8_t steps);

/* Byte `i` of the state. */
static inline uint8_t sliscp_byte(const sliscp_state *state, uint8_t i)
{
    return (uint8_t)(state->x[i / SLISCP_WORD_BYTES] >>
                     8 * (SLISCP_WORD_BYTES - 1 - i % SLISCP_WORD_BYTES));
}

/* Adds a byte to byte `i` of the state. */
static inline void sliscp_add(sliscp_state *state, uint8_t i, uint8_t x)
{
    state->x[i / SLISCP_WORD_BYTES] ^= (uint32_t)x
                                       << 8 * (SLISCP_WORD_BYTES - 1 - i % SLISCP_WORD_BYTES);
}

/* The position of byte `i` of the rate in the state. */
static inline uint8_t sliscp_rate(uint8_t i)
{
    return (uint8_t)(i < SLISCP_RATE / 2 ? SLISCP_FIRST + i : SLISCP_SECOND - SLISCP_RATE / 2 + i);
}

#endif
