/*
 * Ascon-XOF128.
 *
 * References: NIST SP 800-232 (2025), section 5.2 and appendix A (order of bytes; the state after
 * initialization).
 */
#ifndef PENNYWEIGHT_ASCON_VARIANT_H
#define PENNYWEIGHT_ASCON_VARIANT_H

#define ASCON_BIG_ENDIAN 0
#define ASCON_IV UINT64_C(0x0000080000cc0003) /* as a word S_0 */
#define ASCON_RATE 8                          /* bytes of S that absorb data */
#define ASCON_ROUNDS_A ASCON_12_ROUNDS        /* before the first block of output */
#define ASCON_ROUNDS_B ASCON_12_ROUNDS        /* between blocks */

#define ASCON_CUSTOMISED 0 /* there is no customisation string */

/* S after initialization, word by word. */
#define ASCON_INITIAL                                                                              \
    UINT64_C(0xda82ce768d9447eb), UINT64_C(0xcc7ce6c75f1ef969), UINT64_C(0xe7508fd780085631),      \
        UINT64_C(0x0ee0ea53416b58cc), UINT64_C(0xe0547524db6f0bde)

#endif
