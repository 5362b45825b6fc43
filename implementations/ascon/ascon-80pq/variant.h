/*
 * ASCON-80pq.
 *
 * References: C. Dobraunig, M. Eichlseder, F. Mendel, M. Schläffer, "Ascon v1.2, Submission to
 * NIST" (2021), sections 2.2 and 2.4.
 */
#ifndef PENNYWEIGHT_ASCON_VARIANT_H
#define PENNYWEIGHT_ASCON_VARIANT_H

#define ASCON_BIG_ENDIAN 1
#define ASCON_IV UINT64_C(0xa0400c0600000000) /* as a word x_0; the lower half is part of K */
#define ASCON_KEY_BYTES 20
#define ASCON_RATE 8                   /* bytes of S that absorb data */
#define ASCON_ROUNDS_A ASCON_12_ROUNDS /* of initialization and finalization */
#define ASCON_ROUNDS_B ASCON_6_ROUNDS  /* between blocks */

#endif
