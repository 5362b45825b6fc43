/*
 * DryGASCON256.
 *
 * References: S. Riou, "DryGASCON" (submission to NIST's lightweight cryptography project, round 2,
 * 2019), section 3.
 */
#ifndef PENNYWEIGHT_DRYGASCON_VARIANT_H
#define PENNYWEIGHT_DRYGASCON_VARIANT_H

#define DRYGASCON_WORDS 9        /* of 64 bits in c, GASCON's state */
#define DRYGASCON_MIX_BITS 18    /* that MixPhase absorbs at a time: two for each word */
#define DRYGASCON_ROUNDS 8       /* of G */
#define DRYGASCON_INIT_ROUNDS 12 /* of G after the nonce */
#define DRYGASCON_SUMS 4         /* parts of c that go into r */
#define DRYGASCON_KEY 32         /* bytes of the shortest key */

#endif
