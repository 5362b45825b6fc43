/*
 * Keeps the order in which a sum is made.
 *
 * Compilers reorder long sums of words (gcc: -ftree-reassoc), for which they may need one register
 * more than the order in the source does: too many on a core with eight. KEEP(x), which makes no
 * code, says that the value of `x` at that point must be had.
 * KEEP_AFTER(x, y) says so for when `y` is had, too: a constant `x` cannot be had before a loop
 * then, where it would be put on the stack.
 *
 * References: GCC manual, "Extended Asm".
 */
#ifndef PENNYWEIGHT_UTIL_KEEP_H
#define PENNYWEIGHT_UTIL_KEEP_H

#if defined(__GNUC__)
#define KEEP(x) __asm__("" : "+r"(x))
#define KEEP_AFTER(x, y) __asm__("" : "+r"(x) : "r"(y))
#else
#define KEEP(x) ((void)0)
#define KEEP_AFTER(x, y) ((void)0)
#endif

#endif
