/*
 * Keeps the order in which a sum is made.
 *
 * Compilers reorder long sums of words (gcc: -ftree-reassoc), for which they may need one register
 * more than the order in the source does: too many on a core with eight. KEEP(x), which makes no
 * code, says that the value of `x` at that point must be had.
 *
 * References: GCC manual, "Extended Asm".
 */
#ifndef PENNYWEIGHT_UTIL_KEEP_H
#define PENNYWEIGHT_UTIL_KEEP_H

#if defined(__GNUC__)
#define KEEP(x) __asm__("" : "+r"(x))
#else
#define KEEP(x) ((void)0)
#endif

#endif
