/*
 * Shared by all assembly for AVR: a macro for the instruction set of the target, and macros for the
 * assembler.
 *
 * References: GCC manual, "AVR Options"; avr-libc, FAQ, "What registers are used by the C
 * compiler?": functions preserve r2 to r17, r28 and r29; r1 is zero at calls and returns.
 *
 * PW_AVR is 1 if the target has MOVW and LPM Z+ (AVRe and later). Clang does not say; its targets
 * are taken to have both, otherwise the assembler reports an error.
 */
#ifndef PENNYWEIGHT_UTIL_NATIVE_AVR_H
#define PENNYWEIGHT_UTIL_NATIVE_AVR_H

#if defined(__AVR__) &&                                                                            \
    (defined(__clang__) || (defined(__AVR_HAVE_MOVW__) && defined(__AVR_HAVE_LPMX__)))
#define PW_AVR 1
#else
#define PW_AVR 0
#endif

/* clang-format off */
#if defined(__ASSEMBLER__) && PW_AVR

#include "assembly.h"

/* Saves the registers that a function must preserve. */
	.macro	push_preserved
	.irp	a, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29
	push	r\a
	.endr
	.endm

	.macro	pop_preserved
	.irp	a, 29, 28, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2
	pop	r\a
	.endr
	.endm

#endif
/* clang-format on */

#endif
