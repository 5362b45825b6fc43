/*
 * Marks places where the compiler must not move code.
 *
 * References: the manual of gcc, extended asm: an empty statement that is volatile and clobbers
 * memory.
 */
#ifndef PENNYWEIGHT_UTIL_IN_ORDER_H
#define PENNYWEIGHT_UTIL_IN_ORDER_H

/* The code before it has stored its results before the code after it loads anything, so that no
 * more of a state moves into registers than there are. */
#if defined(__GNUC__)
#define IN_ORDER() __asm__ volatile("" ::: "memory")
#else
#define IN_ORDER() ((void)0)
#endif

#endif
