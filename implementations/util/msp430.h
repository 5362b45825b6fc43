/*
 * Shared by all assembly for MSP430: a macro for the instruction set of the target, and macros for
 * the assembler.
 *
 * References: MSP430 Embedded Application Binary Interface (SLAA534), section 3.3: functions
 * preserve R4 to R10.
 *
 * PW_MSP430 is 1 if the target is an MSP430 or MSP430X with pointers of 16 bits.
 */
#ifndef PENNYWEIGHT_UTIL_NATIVE_MSP430_H
#define PENNYWEIGHT_UTIL_NATIVE_MSP430_H

#if defined(__MSP430__) && !defined(__MSP430X_LARGE__)
#define PW_MSP430 1
#else
#define PW_MSP430 0
#endif

/* clang-format off */
#if defined(__ASSEMBLER__) && PW_MSP430

#include "assembly.h"

/* Saves the registers that a function must preserve. */
	.macro	push_preserved
	.irp	register, r4, r5, r6, r7, r8, r9, r10
	push	\register
	.endr
	.endm

	.macro	pop_preserved
	.irp	register, r10, r9, r8, r7, r6, r5, r4
	pop	\register
	.endr
	.endm

#endif
/* clang-format on */

#endif
