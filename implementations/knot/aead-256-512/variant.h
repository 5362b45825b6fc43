/*
 * KNOT-AEAD(256, 512, 128).
 *
 * References: "KNOT" (2019), section 3 (see knot.h).
 */
#ifndef PENNYWEIGHT_KNOT_VARIANT_H
#define PENNYWEIGHT_KNOT_VARIANT_H

#define KNOT_WORDS 4 /* of a row */
#define KNOT_LFSR_BITS 7
#define KNOT_RATE 16 /* bytes */
#define KNOT_TOP_BIT 0
#define KNOT_ROUNDS_0 100 /* of the initialization */
#define KNOT_ROUNDS 52    /* between blocks */
#define KNOT_ROUNDS_F 56  /* of the finalization */

#endif
