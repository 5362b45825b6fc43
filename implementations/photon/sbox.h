/*
 * The S-box of PHOTON, which is PRESENT's, on slices of any unsigned type.
 *
 * References: J. Guo, T. Peyrin, A. Poschmann, "The PHOTON Family of Lightweight Hash Functions"
 * (CRYPTO 2011), section 2.4; N. Courtois, D. Hulme, T. Mourouzis, "Solving Circuit Optimisation
 * Problems in Cryptography and Cryptanalysis" (2011), section 3.3, for a circuit of 14 gates.
 */
#ifndef PENNYWEIGHT_PHOTON_SBOX_H
#define PENNYWEIGHT_PHOTON_SBOX_H

/* Substitutes; x0 holds the least significant bits, x3 the most significant ones. */
#define PHOTON_SBOX(type, x0, x1, x2, x3)                                                          \
    do {                                                                                           \
        type t1 = (type)(x1 ^ x2);                                                                 \
        type t2 = (type)(x2 & t1);                                                                 \
        const type t3 = (type)(x3 ^ t2);                                                           \
        const type y0 = (type)(x0 ^ t3);                                                           \
        t2 = (type)((t1 & t3) ^ x2);                                                               \
        t1 ^= y0;                                                                                  \
        x1 = (type)(t1 ^ (x0 | t2));                                                               \
        t2 ^= (type)~x0;                                                                           \
        x3 = (type)(x1 ^ t2);                                                                      \
        x2 = (type)(t3 ^ (t2 | t1));                                                               \
        x0 = y0;                                                                                   \
    } while (0)

#endif
