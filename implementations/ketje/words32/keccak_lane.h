/*
 * Lanes of Keccak-p in words that hold copies of them.
 *
 * References: none beyond FIPS 202.
 */
#include "variant.h"

#define KECCAK_LANE_BITS (8 * KETJE_LANE_BYTES)
#include "lanes/copies32.h"
