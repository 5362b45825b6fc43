/*
 * ASCON-HASH.
 *
 * References: C. Dobraunig, M. Eichlseder, F. Mendel, M. Schläffer, "Ascon v1.2, Submission to
 * NIST" (2021), sections 2.2 and 2.5.
 */
#ifndef PENNYWEIGHT_ASCON_VARIANT_H
#define PENNYWEIGHT_ASCON_VARIANT_H

#define ASCON_BIG_ENDIAN 1
#define ASCON_IV UINT64_C(0x00400c0000000100) /* as a word x_0 */
#define ASCON_RATE 8                          /* bytes of S that absorb data */
#define ASCON_ROUNDS_A ASCON_12_ROUNDS        /* before the first block of output */
#define ASCON_ROUNDS_B ASCON_12_ROUNDS        /* between blocks */

/* S after initialization, word by word. */
#define ASCON_INITIAL                                                                              \
    UINT64_C(0xee9398aadb67f03d), UINT64_C(0x8bb21831c60f1002), UINT64_C(0xb48a92db98d5da62),      \
        UINT64_C(0x43189921b8f8e3e8), UINT64_C(0x348fa5c9d525e140)

#endif
