/*
 * Ascon-CXOF128.
 *
 * References: NIST SP 800-232 (2025), section 5.3 and appendix A (order of bytes; the state after
 * initialization).
 */
#ifndef PENNYWEIGHT_ASCON_VARIANT_H
#define PENNYWEIGHT_ASCON_VARIANT_H

#define ASCON_BIG_ENDIAN 0
#define ASCON_IV UINT64_C(0x0000080000cc0004) /* as a word S_0 */
#define ASCON_RATE 8                          /* bytes of S that absorb data */
#define ASCON_ROUNDS_A ASCON_12_ROUNDS        /* before the first block of output */
#define ASCON_ROUNDS_B ASCON_12_ROUNDS        /* between blocks */

#define ASCON_CUSTOMISED 1 /* there is a customisation string */

/* S after initialization, word by word. */
#define ASCON_INITIAL                                                                              \
    UINT64_C(0x675527c2a0e8de03), UINT64_C(0x43d12d7dc0377bbc), UINT64_C(0xe9901dec426e81b5),      \
        UINT64_C(0x2ab14907720780b6), UINT64_C(0x8f3f1d02d432bc46)

#endif
