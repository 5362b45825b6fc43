/*
 * KNOT-Hash(256, 256, 32).
 *
 * References: "KNOT" (2019), section 4 (see knot.h).
 */
#ifndef PENNYWEIGHT_KNOT_VARIANT_H
#define PENNYWEIGHT_KNOT_VARIANT_H

#define KNOT_WORDS 2 /* of a row */
#define KNOT_LFSR_BITS 7
#define KNOT_RATE 4 /* bytes */
#define KNOT_TOP_BIT 0
#define KNOT_ROUNDS 68

#endif
