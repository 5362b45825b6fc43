/*
 * What the state of Subterranean is computed in: what the machine has.
 */
#ifndef PENNYWEIGHT_SUBTERRANEAN_UNIT_H
#define PENNYWEIGHT_SUBTERRANEAN_UNIT_H

#include <limits.h>
#include <stdint.h>

#if UINT_MAX > 0xffff
typedef uint32_t subterranean_unit;
#else
typedef uint8_t subterranean_unit;
#endif

#endif
