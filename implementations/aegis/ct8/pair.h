/*
 * A pair of blocks in bit planes of bytes, as in aes/ct8.
 *
 * References: none beyond aes_ct8.c.
 */
#ifndef PENNYWEIGHT_AEGIS_PAIR_H
#define PENNYWEIGHT_AEGIS_PAIR_H

#include <stdint.h>

/* Byte 8r + i holds bit i of the 8 bytes that two blocks have in row r: that of the byte in column
 * c of block b is bit 2c + b. */
typedef uint8_t aegis_unit;

#define AEGIS_UNITS 32

#endif
