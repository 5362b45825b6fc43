/*
 * SUBBYTES and MIXCOLUMNS of AES in one table of 256 words, in RAM, which 32-bit cores read faster
 * than flash.
 *
 * References: J. Daemen, V. Rijmen, "AES Proposal: Rijndael" (1999), section 5.2.1: one table and
 * rotations instead of four.
 */
#ifndef PENNYWEIGHT_AES_COLUMNS_H
#define PENNYWEIGHT_AES_COLUMNS_H

#include <stdint.h>

/* Of x in the first row: {02} s, s, s, {03} s for s = SBOX(x), the first row least significant. */
extern uint32_t aes_columns[256]; /* never written */

/* SBOX(x): the second byte, whichever end of a word comes first. */
static inline uint8_t sbox(uint32_t x)
{
    return ((const uint8_t *)aes_columns)[4 * x + 1];
}

#endif
