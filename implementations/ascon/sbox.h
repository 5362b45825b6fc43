/*
 * Ascon's substitution layer on five slices of any unsigned type.
 *
 * References: NIST SP 800-232 (2025), section 3.3, equation 7; Ascon v1.2 (2021), section 2.6.2.
 *
 * In the middle each word is to become x_i ^ (~x_(i+1) & x_(i+2)), from the values that all had
 * before. x0, x4 and x1 do. x2 and x3 take y | ~z instead, the complement of ~y & z, and so become
 * the complements of what they are to be: for x2 that is the complement that ends the layer, and
 * in x3 it cancels when x2 is added. Only what x3 takes has to be kept. The other two lines that
 * read a word changed before them read what they need: x0 is as it was wherever x1 is 1, and x2 is
 * the complement of what it was, which is what x1 takes, wherever x3 is 1.
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
