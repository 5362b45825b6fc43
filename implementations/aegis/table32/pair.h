/*
 * A pair of blocks as words of 32 bits, in the order of memory.
 *
 * References: none.
 */
#ifndef PENNYWEIGHT_AEGIS_PAIR_H
#define PENNYWEIGHT_AEGIS_PAIR_H

#include <stdint.h>

/* The four columns of the first block, then those of the second, each in the machine's byte order
 * (first byte least significant on little-endian cores). */
typedef uint32_t aegis_unit;

#define AEGIS_UNITS 8

#endif
