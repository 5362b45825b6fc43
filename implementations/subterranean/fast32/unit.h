/*
 * The unit in which Subterranean's state is computed: 32-bit words. Its rounds are counted.
 *
 * References: J. Daemen, P. M. C. Massolino, A. Mehrdad, Y. Rotella, "The Subterranean 2.0 Cipher
 * Suite" (2019), section 2 (see subterranean.h).
 */
#ifndef PENNYWEIGHT_SUBTERRANEAN_UNIT_H
#define PENNYWEIGHT_SUBTERRANEAN_UNIT_H

#include <stdint.h>

#define SUBTERRANEAN_COUNTS_ROUNDS

typedef uint32_t subterranean_unit;

#endif
