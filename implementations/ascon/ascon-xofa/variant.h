/*
 * ASCON-XOFA.
 *
 * References: C. Dobraunig, M. Eichlseder, F. Mendel, M. Schläffer, "Ascon v1.2, Submission to
 * NIST" (2021), sections 2.2 and 2.5.
 */
#ifndef PENNYWEIGHT_ASCON_VARIANT_H
#define PENNYWEIGHT_ASCON_VARIANT_H

#define ASCON_BIG_ENDIAN 1
#define ASCON_IV UINT64_C(0x00400c0400000000) /* as a word x_0 */
#define ASCON_RATE 8                          /* bytes of S that absorb data */
#define ASCON_ROUNDS_A ASCON_12_ROUNDS        /* before the first block of output */
#define ASCON_ROUNDS_B ASCON_8_ROUNDS         /* between blocks */

#define ASCON_CUSTOMISED 0 /* there is no customisation string */

/* S after initialization, word by word. */
#define ASCON_INITIAL                                                                              \
    UINT64_C(0x44906568b77b9832), UINT64_C(0xcd8d6cae53455532), UINT64_C(0xf7b5212756422129),      \
        UINT64_C(0x246885e1de0d225b), UINT64_C(0xa8cb5ce33449973f)

#endif
