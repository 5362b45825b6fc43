/*
 * The S-box of KNOT as Boolean formulas, for slices of any width.
 *
 * References: "KNOT" (2019), section 2 (see knot.h); same names.
 */
#ifndef PENNYWEIGHT_KNOT_SBOX_H
#define PENNYWEIGHT_KNOT_SBOX_H

/* y0 to y3 are the S-box of the slices x0 to x3, all of type `type`; they may be the same
 * objects. */
#define KNOT_SBOX(type, y0, y1, y2, y3, x0, x1, x2, x3)                                            \
    do {                                                                                           \
        const type a0_ = (x0), a1_ = (x1), a2_ = (x2), a3_ = (x3);                                 \
        const type t1_ = (type)~a0_;                                                               \
        const type t3_ = a2_ ^ (a1_ & t1_);                                                        \
        const type t6_ = a3_ ^ t1_;                                                                \
        const type b2_ = (a1_ | a2_) ^ t6_;                                                        \
        const type t8_ = a1_ ^ a3_;                                                                \
                                                                                                   \
        y0 = t8_ ^ (t3_ & t6_);                                                                    \
        y1 = t3_ ^ (b2_ & t8_);                                                                    \
        y2 = b2_;                                                                                  \
        y3 = a3_ ^ t3_;                                                                            \
    } while (0)

#endif
