/*
 * Bits of many values of WGP or SB in parallel: bytes on AVR, words of 16 bits elsewhere.
 *
 * References: none beyond C11.
 */
#ifndef PENNYWEIGHT_WAGE_VALUES_H
#define PENNYWEIGHT_WAGE_VALUES_H

#include <stdint.h>

#if defined(__AVR__)
typedef uint8_t values;
#else
typedef uint16_t values;
#endif

#endif
