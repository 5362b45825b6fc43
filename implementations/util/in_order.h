/*
 * Where the compiler is not to move code, whatever it expects to gain.
 *
 * References: the manual of gcc, extended asm: an empty statement that is volatile and clobbers
 * memory.
 */
#ifndef PENNYWEIGHT_UTIL_IN_ORDER_H
#define PENNYWEIGHT_UTIL_IN_ORDER_H

/* What stands before it is in memory before what stands after it is fetched, so that no more of a
 * state moves into registers than there are. */
#if defined(__GNUC__)
#define IN_ORDER() __asm__ volatile("" ::: "memory")
#else
#define IN_ORDER() ((void)0)
#endif

#endif
