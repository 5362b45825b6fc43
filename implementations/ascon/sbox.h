/*
 * Ascon's substitution layer on five slices of any unsigned type.
 *
 * References: NIST SP 800-232 (2025), section 3.3, equation 7; Ascon v1.2 (2021), section 2.6.2.
 *
 * In the middle, each word becomes x_i ^ (~x_(i+1) & x_(i+2)) of the old values; x0, x4 and x1 are
 * computed so. For x2 and x3, y | ~z, the complement of ~y & z, is added instead, so they become
 * complemented: for x2, this is the complement that ends the layer; in x3, it cancels when x2 is
 * added. Only the word that x3 needs has to be saved. The other two lines that read a changed word
 * still read the bits that they need: where x1 is 1, x0 is unchanged, and where x3 is 1, x2 is the
 * complement of its old value, which x1 takes.
 */
#ifndef PENNYWEIGHT_ASCON_SBOX_H
#define PENNYWEIGHT_ASCON_SBOX_H

#define ASCON_SBOX(type, x0, x1, x2, x3, x4)                                                       \
    do {                                                                                           \
        type kept;                                                                                 \
        x0 ^= x4;                                                                                  \
        x4 ^= x3;                                                                                  \
        x2 ^= x1;                                                                                  \
        kept = (type)(x4 | ~x0);                                                                   \
        x0 ^= (type)(x2 & ~x1);                                                                    \
        x2 ^= (type)(x3 | ~x4);                                                                    \
        x4 ^= (type)(x1 & ~x0);                                                                    \
        x1 ^= (type)(x3 & x2);                                                                     \
        x3 ^= kept;                                                                                \
        x1 ^= x0;                                                                                  \
        x0 ^= x4;                                                                                  \
        x3 ^= x2;                                                                                  \
    } while (0)

#endif
