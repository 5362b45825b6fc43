/*
 * Marks places where the compiler must not move code.
 *
 * References: the manual of gcc, extended asm: an empty statement that is volatile and clobbers
 * memory.
 */
#ifndef PENNYWEIGHT_UTIL_IN_ORDER_H
#define PENNYWEIGHT_UTIL_IN_ORDER_H

/* All stores before it precede all loads after it, so that the state's part in registers does not
 * exceed them. */
#if defined(__GNUC__)
#define IN_ORDER() __asm__ volatile("" ::: "memory")
#else
#define IN_ORDER() ((void)0)
#endif

#endif
