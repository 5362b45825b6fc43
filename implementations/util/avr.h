/*
 * What assembly for AVR shares: how a function begins and ends, and its registers.
 *
 * References: GCC manual, "AVR Options" and the AVR ABI of avr-libc's FAQ ("What registers are used
 * by the C compiler?"): r2 to r17, r28 and r29 are kept, r1 is zero.
 *
 * PW_AVR is 1 where AVR's instructions with MOVW and LPM Z+ are (AVRe and later).
 */
#ifndef PENNYWEIGHT_UTIL_NATIVE_AVR_H
#define PENNYWEIGHT_UTIL_NATIVE_AVR_H

#if defined(__AVR_HAVE_MOVW__) && defined(__AVR_HAVE_LPMX__)
#define PW_AVR 1
#else
#define PW_AVR 0
#endif

/* clang-format off */
#if defined(__ASSEMBLER__) && PW_AVR

/* Begins a function in a section of its own. */
	.macro	function name
	.section .text.\name, "ax", @progbits
	.global	\name
	.type	\name, @function
\name:
	.endm

	.macro	end_function name
	.size	\name, . - \name
	.endm

#endif
/* clang-format on */

#endif
