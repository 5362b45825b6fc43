/*
 * Keeps the order in which a sum is computed. These macros emit no instruction.
 *
 * Compilers reorder long sums of words (gcc: -ftree-reassoc), which may need one register more
 * than the order in the source: too many on a core with eight. KEEP(x) makes the compiler
 * compute the value of `x` at this point. KEEP_AFTER(x, y) makes it compute `x` here and after
 * `y`: it cannot compute a constant `x` before a loop and put it on the stack. KEEP_POINTER(p)
 * makes the compiler assume that `p` may point anywhere from here on, so that it stores what
 * `p` pointed to, and reads it again when needed instead of copying it to the stack. On AVR
 * the pointer is in Y or Z, which can access elements of arrays and structures with
 * displacements. Clang for AVR does not accept operands of more than two bytes; there the
 * macros do nothing.
 *
 * References: GCC manual, "Extended Asm".
 */
#ifndef PENNYWEIGHT_UTIL_KEEP_H
#define PENNYWEIGHT_UTIL_KEEP_H

#if defined(__GNUC__) && !(defined(__clang__) && defined(__AVR__))
#define KEEP(x) __asm__("" : "+r"(x))
#define KEEP_AFTER(x, y) __asm__("" : "+r"(x) : "r"(y))
#if defined(__AVR__) && !defined(__clang__)
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
