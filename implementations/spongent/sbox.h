/*
 * The S-box of Spongent as Boolean formulas.
 *
 * References: A. Bogdanov et al., "SPONGENT: A Lightweight Hash Function" (CHES 2011), section 2:
 * the table E D B 0 2 1 4 F 7 A 8 5 9 C 3 6. The formulas follow from its algebraic normal form:
 * with s = b ^ c and q = a ^ b c, y0 = q ^ b ^ d, y2 = 1 ^ s ^ d q, y1 = 1 ^ (d ? s : q) and
 * y3 = a b ^ c ^ (1 ^ d | (a ? 1 ^ c : b)).
 */
#ifndef PENNYWEIGHT_SPONGENT_SBOX_H
#define PENNYWEIGHT_SPONGENT_SBOX_H

/* Slices y0 to y3, bits 0 to 3, of the S-box of slices x0 to x3, all of type `type`. */
#define SPONGENT_SBOX(type, y0, y1, y2, y3, x0, x1, x2, x3)                                        \
    do {                                                                                           \
        const type a_ = (type)(x0), b_ = (type)(x1), c_ = (type)(x2), d_ = (type)(x3);             \
        const type not_d = (type)~d_;                                                              \
        const type s_ = b_ ^ c_;                                                                   \
        const type q_ = a_ ^ (b_ & c_);                                                            \
        const type z_ = b_ ^ (a_ & (type)~s_);                                                     \
        const type y_ = (type) ~(s_ ^ (d_ & q_));                                                  \
                                                                                                   \
        y0 = q_ ^ b_ ^ d_;                                                                         \
        y1 = y_ ^ q_ ^ (s_ & not_d);                                                               \
        y2 = y_;                                                                                   \
        y3 = (a_ & b_) ^ c_ ^ (not_d | z_);                                                        \
    } while (0)

#endif
