/*
 * The constants of iota for lanes of 8, 16 and 64 bits, the latter in a short form.
 *
 * References: FIPS 202 (2015), section 3.2.5: a shorter lane uses the lower part of a longer lane's
 * constant.
 */
#ifndef PENNYWEIGHT_KECCAK_CONSTANTS_H
#define PENNYWEIGHT_KECCAK_CONSTANTS_H

/* Lists for initializers in C and for data in assembly. */

/* The constants of the rounds of Keccak-f[200]. The last one occurs only once. */
#define KECCAK200_CONSTANTS                                                                        \
    0x01, 0x82, 0x8a, 0x00, 0x8b, 0x01, 0x81, 0x09, 0x8a, 0x88, 0x09, 0x0a, 0x8b, 0x8b, 0x89,      \
        0x03, 0x02, KECCAK200_LAST_CONSTANT

#define KECCAK200_LAST_CONSTANT 0x80

/* Those of Keccak-f[400]. */
#define KECCAK400_CONSTANTS                                                                        \
    0x0001, 0x8082, 0x808a, 0x8000, 0x808b, 0x0001, 0x8081, 0x8009, 0x008a, 0x0088, 0x8009,        \
        0x000a, 0x808b, 0x008b, 0x8089, 0x8003, 0x8002, 0x0080, 0x800a, KECCAK400_LAST_CONSTANT

#define KECCAK400_LAST_CONSTANT 0x000a

/* Those of Keccak-f[1600]: bit 2^j - 1 of the constant is bit j of the number here. */
#define KECCAK1600_CONSTANTS                                                                       \
    0x01, 0x1a, 0x5e, 0x70, 0x1f, 0x21, 0x79, 0x55, 0x0e, 0x0c, 0x35, 0x26, 0x3f, 0x4f, 0x5d,      \
        0x53, 0x52, 0x48, 0x16, 0x66, 0x79, 0x58, 0x21, 0x74

#endif
