/*
 * The constants of Sparkle: those of Alzette in each branch, and of the steps.
 *
 * References: C. Beierle et al., "Schwaemm and Esch" (v1.2, 2021), section 2.1: the first bits of
 * the fractional part of e, except its first word and a repeated one.
 */
#ifndef PENNYWEIGHT_SPARKLE_CONSTANTS_H
#define PENNYWEIGHT_SPARKLE_CONSTANTS_H

#define SPARKLE_C0 UINT32_C(0xb7e15162)
#define SPARKLE_C1 UINT32_C(0xbf715880)
#define SPARKLE_C2 UINT32_C(0x38b4da56)
#define SPARKLE_C3 UINT32_C(0x324e7738)
#define SPARKLE_C4 UINT32_C(0xbb1185eb)
#define SPARKLE_C5 UINT32_C(0x4f7c7b57)
#define SPARKLE_C6 UINT32_C(0xcfbfa1c8)
#define SPARKLE_C7 UINT32_C(0xc2b3293d)

#endif
