/*
 * The unit in which Subterranean's state is computed: the machine's own.
 *
 * References: J. Daemen, P. M. C. Massolino, A. Mehrdad, Y. Rotella, "The Subterranean 2.0 Cipher
 * Suite" (2019), section 2 (see subterranean.h).
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
