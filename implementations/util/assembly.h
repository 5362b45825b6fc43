/*
 * Macros for the beginning and the end of a function in assembly. arm.h, avr.h, msp430.h
 * and riscv.h include this file if they support the target.
 *
 * References: GNU as manual, "ELF: .section, .type, .size"; "ARM Machine Directives".
 */
#ifndef PENNYWEIGHT_UTIL_ASSEMBLY_H
#define PENNYWEIGHT_UTIL_ASSEMBLY_H

/* clang-format off */

#ifdef __thumb__
	.syntax	unified
	.thumb
#endif

/* Begins a section for \name; on Arm at the beginning of a line of flash: 16 bytes. */
	.macro	section_for name
	.section .text.\name, "ax", %progbits
#ifdef __thumb__
	.balign	16
#endif
	.endm

/* An entry point that other files can call. */
	.macro	entry name
	.global	\name
	.type	\name, %function
#ifdef __thumb__
	.thumb_func
#endif
\name:
	.endm

/* An entry point for jumps between the sections of a file. */
	.macro	hidden_entry name
	.hidden	\name
	entry	\name
	.endm

/* Begins a function in a section of its own. */
	.macro	function name
	section_for \name
	entry	\name
	.endm

	.macro	end_function name
	.size	\name, . - \name
	.endm

/* clang-format on */

#endif
