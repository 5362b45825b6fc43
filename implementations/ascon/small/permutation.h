/*
 * Ascon's state as 40 bytes, or on 32-bit machines also as words, whichever gives the smallest
 * code.
 *
 * References: NIST SP 800-232 (2025), section 3 and appendix A; Ascon v1.2 (2021), section 2.
 */
#ifndef PENNYWEIGHT_ASCON_PERMUTATION_H
#define PENNYWEIGHT_ASCON_PERMUTATION_H

#include <stdint.h>

#include "constants.h"
#include "unroll.h"
#include "variant.h"

typedef union {
    uint8_t bytes[40];
    uint32_t words[10];
} ascon_state;

/* Applies the rounds from the one with `constant` to the last. */
void ascon_permute(ascon_state *s, uint8_t constant);

#define ASCON_STORE_INITIAL 0
#define ASCON_BYTE_LOOP ROLL

#include "sponge_bytes.h"

#endif
