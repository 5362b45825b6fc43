/*
 * KNOT-Hash(512, 512, 64).
 *
 * References: "KNOT" (2019), section 4 (see knot.h).
 */
#ifndef PENNYWEIGHT_KNOT_VARIANT_H
#define PENNYWEIGHT_KNOT_VARIANT_H

#define KNOT_WORDS 4 /* of a row */
#define KNOT_LFSR_BITS 8
#define KNOT_RATE 8 /* bytes */
#define KNOT_TOP_BIT 0
#define KNOT_ROUNDS 140

#endif
