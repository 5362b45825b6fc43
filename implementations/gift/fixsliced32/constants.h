/*
 * The complements of GIFT-128's round constants (including 2^31 in each round), in the bit order of
 * the five rounds.
 *
 * References: S. Banik et al., "GIFT-COFB v1.1" (2021), chapter 2; A. Adomnicai, Z. Najm,
 * T. Peyrin, "Fixslicing: A New GIFT Representation" (TCHES 2020), section 3.
 */
#ifndef PENNYWEIGHT_GIFT_CONSTANTS_H
#define PENNYWEIGHT_GIFT_CONSTANTS_H

#define GIFT128_CONSTANTS                                                                          \
    UINT32_C(0xeffffff7), UINT32_C(0x7ffe7fff), UINT32_C(0xabfffffd), UINT32_C(0xfefefe7e),        \
        UINT32_C(0x7fffffe0), UINT32_C(0xef77777f), UINT32_C(0x9ffe1fff), UINT32_C(0xaeaffffd),    \
        UINT32_C(0xfcfcfe7f), UINT32_C(0x7fffffd0), UINT32_C(0xeff7777f), UINT32_C(0x9ffe9fff),    \
        UINT32_C(0xbeaffffd), UINT32_C(0xfcfcff7f), UINT32_C(0x7fffffd8), UINT32_C(0xefff777f),    \
        UINT32_C(0xbffe1fff), UINT32_C(0xeeaffffd), UINT32_C(0xfcfdfe7f), UINT32_C(0x7fffffd4),    \
        UINT32_C(0xeff7f77f), UINT32_C(0x9ffebfff), UINT32_C(0xfebffffd), UINT32_C(0xfdfdff7f),    \
        UINT32_C(0x7fffffde), UINT32_C(0xefffff7f), UINT32_C(0xfffe3fff), UINT32_C(0xaefffffd),    \
        UINT32_C(0xfcfefe7f), UINT32_C(0x7fffffd1), UINT32_C(0xeff777ff), UINT32_C(0x9ffedfff),    \
        UINT32_C(0xbfaffffd), UINT32_C(0xfefcff7f), UINT32_C(0x7ffffff9), UINT32_C(0xefff77f7),    \
        UINT32_C(0x3ffe5fff), UINT32_C(0xebaffffd), UINT32_C(0xfefdfe7e), UINT32_C(0x7fffffe5)

#endif
