/*
 * KNOT-Hash(256, 384, 128).
 *
 * References: "KNOT" (2019), section 4 (see knot.h).
 */
#ifndef PENNYWEIGHT_KNOT_VARIANT_H
#define PENNYWEIGHT_KNOT_VARIANT_H

#define KNOT_WORDS 3 /* of a row */
#define KNOT_LFSR_BITS 7
#define KNOT_RATE 16 /* bytes */
#define KNOT_TOP_BIT 1
#define KNOT_ROUNDS 80

#endif
