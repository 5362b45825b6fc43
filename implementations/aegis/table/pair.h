/*
 * A pair of blocks as bytes, in their own order.
 *
 * References: none.
 */
#ifndef PENNYWEIGHT_AEGIS_PAIR_H
#define PENNYWEIGHT_AEGIS_PAIR_H

#include <stdint.h>

/* The 16 bytes of the first block, then those of the second. */
typedef uint8_t aegis_unit;

#define AEGIS_UNITS 32

#endif
