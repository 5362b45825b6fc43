/*
 * ASCON-HASHA.
 *
 * References: C. Dobraunig, M. Eichlseder, F. Mendel, M. Schläffer, "Ascon v1.2, Submission to
 * NIST" (2021), sections 2.2 and 2.5.
 */
#ifndef PENNYWEIGHT_ASCON_VARIANT_H
#define PENNYWEIGHT_ASCON_VARIANT_H

#define ASCON_BIG_ENDIAN 1
#define ASCON_IV UINT64_C(0x00400c0400000100) /* as a word x_0 */
#define ASCON_RATE 8                          /* bytes of S that absorb data */
#define ASCON_ROUNDS_A ASCON_12_ROUNDS        /* before the first block of output */
#define ASCON_ROUNDS_B ASCON_8_ROUNDS         /* between blocks */

/* S after initialization, word by word. */
#define ASCON_INITIAL                                                                              \
    UINT64_C(0x01470194fc6528a6), UINT64_C(0x738ec38ac0adffa7), UINT64_C(0x2ec8e3296c76384c),      \
        UINT64_C(0xd6f6a54d7f52377d), UINT64_C(0xa13c42a223be8d87)

#endif
