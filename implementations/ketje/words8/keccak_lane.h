/*
 * Lanes of Keccak-p without copies.
 *
 * References: none beyond FIPS 202.
 */
#include "variant.h"

#if KETJE_LANE_BYTES == 1
#include "lanes/bytes.h"
#else
#include "lanes/words16.h"
#endif
