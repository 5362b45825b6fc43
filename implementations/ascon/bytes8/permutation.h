/*
 * Ascon's state as 40 bytes, the least significant byte of each word first, on MSP430 also as pairs
 * of bytes and as words.
 *
 * References: NIST SP 800-232 (2025), section 3 and appendix A; Ascon v1.2 (2021), section 2.
 */
#ifndef PENNYWEIGHT_ASCON_PERMUTATION_H
#define PENNYWEIGHT_ASCON_PERMUTATION_H

#include <stdint.h>

#include "constants.h"
#include "variant.h"

typedef union {
    uint8_t bytes[40];
    uint16_t pairs[20];
    uint64_t words[5];
} ascon_state;

/* Applies the rounds from the one with `constant` to the last. */
void ascon_permute(ascon_state *s, uint8_t constant);

#define ASCON_STORE_INITIAL 1

#include "sponge_bytes.h"

#endif
