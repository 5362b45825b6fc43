/*
 * KNOT-AEAD(192, 384, 96).
 *
 * References: "KNOT" (2019), section 3 (see knot.h).
 */
#ifndef PENNYWEIGHT_KNOT_VARIANT_H
#define PENNYWEIGHT_KNOT_VARIANT_H

#define KNOT_WORDS 3 /* of a row */
#define KNOT_LFSR_BITS 7
#define KNOT_RATE 12 /* bytes */
#define KNOT_TOP_BIT 0
#define KNOT_ROUNDS_0 76 /* of the initialization */
#define KNOT_ROUNDS 40   /* between blocks */
#define KNOT_ROUNDS_F 44 /* of the finalization */

#endif
