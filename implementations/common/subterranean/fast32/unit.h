/*
 * What the state of Subterranean is computed in: 32-bit words. Its rounds are counted.
 */
#ifndef PENNYWEIGHT_SUBTERRANEAN_UNIT_H
#define PENNYWEIGHT_SUBTERRANEAN_UNIT_H

#include <stdint.h>

#define SUBTERRANEAN_COUNTS_ROUNDS

typedef uint32_t subterranean_unit;

#endif
