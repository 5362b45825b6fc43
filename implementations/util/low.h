/*
 * Keeps compilers from the upper registers of Thumb-1, which only moves and a few additions can
 * use: with the eight low registers full, they emit more moves than spills would cost, except at
 * -Os.
 *
 * KEEP_LOW(x), which emits no code, is also KEEP(x). A value in an upper register at that point
 * must move elsewhere: to its source, or to the stack.
 *
 * References: GCC manual, "Machine Constraints" (ARM: `l`) and "Clobbers and Scratch Registers".
 */
#ifndef PENNYWEIGHT_UTIL_LOW_H
#define PENNYWEIGHT_UTIL_LOW_H

#include "keep.h"

#if defined(__GNUC__) && defined(__ARM_ARCH_ISA_THUMB) && __ARM_ARCH_ISA_THUMB == 1
#define KEEP_LOW(x) __asm__("" : "+l"(x) : : "r8", "r9", "r10", "r11", "r12")
#else
#define KEEP_LOW(x) KEEP(x)
#endif

#endif
