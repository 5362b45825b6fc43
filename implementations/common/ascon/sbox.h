/*
 * Ascon's substitution layer on five slices of any unsigned type.
 *
 * References: NIST SP 800-232 (2025), section 3.3, equation 7; Ascon v1.2 (2021), section 2.6.2.
 *
 * Each of the five lines in the middle is x_i ^= ~x_(i+1) & x_(i+2) with the values from before
 * all five. Only one of them has to be kept: where a line reads a word that was changed already,
 * the change was made under a mask that the reading line's own mask excludes.
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
