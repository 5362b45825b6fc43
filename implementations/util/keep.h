/*
 * Keeps the order in which a sum is made.
 *
 * Compilers reorder long sums of words (gcc: -ftree-reassoc), for which they may need one register
 * more than the order in the source does: too many on a core with eight. KEEP(x), which makes no
 * code, says that the value of `x` at that point must be had.
 * KEEP_AFTER(x, y) says so for when `y` is had, too: a constant `x` cannot be had before a loop
 * then, where it would be put on the stack.
 * KEEP_POINTER(p) says of a pointer that it may point anywhere from there on, so that what it
 * pointed to has been stored, and is read again when it is needed, not from a copy on the stack. On
 * AVR the pointer is in Y or Z, from where elements of arrays and structures can be reached.
 *
 * References: GCC manual, "Extended Asm".
 */
#ifndef PENNYWEIGHT_UTIL_KEEP_H
#define PENNYWEIGHT_UTIL_KEEP_H

#if defined(__GNUC__)
#define KEEP(x) __asm__("" : "+r"(x))
#define KEEP_AFTER(x, y) __asm__("" : "+r"(x) : "r"(y))
#if defined(__AVR__)
#define KEEP_POINTER(p) __asm__("" : "+b"(p))
#else
#define KEEP_POINTER(p) __asm__("" : "+r"(p))
#endif
#else
#define KEEP(x) ((void)0)
#define KEEP_AFTER(x, y) ((void)0)
#define KEEP_POINTER(p) ((void)0)
#endif

#endif
