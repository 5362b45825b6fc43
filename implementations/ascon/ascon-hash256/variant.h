/*
 * Ascon-Hash256.
 *
 * References: NIST SP 800-232 (2025), section 5.1 and appendix A (order of bytes; the state after
 * initialization).
 */
#ifndef PENNYWEIGHT_ASCON_VARIANT_H
#define PENNYWEIGHT_ASCON_VARIANT_H

#define ASCON_BIG_ENDIAN 0
#define ASCON_IV UINT64_C(0x0000080100cc0002) /* as a word S_0 */
#define ASCON_RATE 8                          /* bytes of S that absorb data */
#define ASCON_ROUNDS_A ASCON_12_ROUNDS        /* before the first block of output */
#define ASCON_ROUNDS_B ASCON_12_ROUNDS        /* between blocks */

/* S after initialization, word by word. */
#define ASCON_INITIAL                                                                              \
    UINT64_C(0x9b1e5494e934d681), UINT64_C(0x4bc3a01e333751d2), UINT64_C(0xae65396c6b34b81a),      \
        UINT64_C(0x3c7fd4a4d56a4db3), UINT64_C(0x1a5c464906c5976d)

#endif
