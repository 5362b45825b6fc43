/*
 * ASCON-XOF.
 *
 * References: C. Dobraunig, M. Eichlseder, F. Mendel, M. Schläffer, "Ascon v1.2, Submission to
 * NIST" (2021), sections 2.2 and 2.5.
 */
#ifndef PENNYWEIGHT_ASCON_VARIANT_H
#define PENNYWEIGHT_ASCON_VARIANT_H

#define ASCON_BIG_ENDIAN 1
#define ASCON_IV UINT64_C(0x00400c0000000000) /* as a word x_0 */
#define ASCON_RATE 8                          /* bytes of S that absorb data */
#define ASCON_ROUNDS_A ASCON_12_ROUNDS        /* before the first block of output */
#define ASCON_ROUNDS_B ASCON_12_ROUNDS        /* between blocks */

#define ASCON_CUSTOMISED 0 /* there is no customisation string */

/* S after initialization, word by word. */
#define ASCON_INITIAL                                                                              \
    UINT64_C(0xb57e273b814cd416), UINT64_C(0x2b51042562ae2420), UINT64_C(0x66a3a7768ddf2218),      \
        UINT64_C(0x5aad0a7a8153650c), UINT64_C(0x4f3e0e32539493b6)

#endif
