/*
 * Bits of many values of WAGE in parallel: words of 32 bits.
 *
 * References: none beyond C11.
 */
#ifndef PENNYWEIGHT_WAGE_VALUES_H
#define PENNYWEIGHT_WAGE_VALUES_H

#include <stdint.h>

typedef uint32_t values;

#endif
