/*
 * A pair of blocks in bit planes of 32-bit words, as in aes/ct32.
 *
 * References: none beyond aes_ct32.c.
 */
#ifndef PENNYWEIGHT_AEGIS_PAIR_H
#define PENNYWEIGHT_AEGIS_PAIR_H

#include <stdint.h>

/* Word i holds bit i of 32 bytes: that of the byte in row r and column c of block b is bit
 * 8r + 2c + b. */
typedef uint32_t aegis_unit;

#define AEGIS_UNITS 8

#endif
