/*
 * What assembly for Arm's M profile shares: which instruction set a target has, and how a function
 * begins and ends.
 *
 * References: Arm C Language Extensions (ACLE), section "Predefined macros"; GNU as manual, "ARM
 * Machine Directives".
 *
 * PW_ARMV7M is 1 where Thumb-2 is (Armv7-M, Armv7E-M and Armv8-M Mainline), PW_ARMV6M where only
 * Armv6-M's instructions are (Armv6-M, Armv8-M Baseline). PW_ARM_DSP is 1 where the core has the
 * DSP instructions (Cortex-M4). Words lie in memory with the least significant byte first.
 */
#ifndef PENNYWEIGHT_UTIL_NATIVE_ARM_H
#define PENNYWEIGHT_UTIL_NATIVE_ARM_H

#if defined(__ARM_ARCH_ISA_THUMB) && !defined(__ARM_ARCH_ISA_ARM) && !defined(__ARM_BIG_ENDIAN)
#if __ARM_ARCH_ISA_THUMB == 2
#define PW_ARMV7M 1
#if defined(__ARM_FEATURE_DSP) && __ARM_FEATURE_DSP
#define PW_ARM_DSP 1
#endif
#else
#define PW_ARMV6M 1
#endif
#endif

#ifndef PW_ARMV7M
#define PW_ARMV7M 0
#endif
#ifndef PW_ARMV6M
#define PW_ARMV6M 0
#endif
#ifndef PW_ARM_DSP
#define PW_ARM_DSP 0
#endif

/* clang-format off */
#if defined(__ASSEMBLER__) && (PW_ARMV7M || PW_ARMV6M)

	.syntax	unified
	.thumb

/* Begins a function in a section of its own, at the beginning of a line of flash: 16 bytes. */
	.macro	function name
	.section .text.\name, "ax", %progbits
	.balign	16
	.global	\name
	.type	\name, %function
	.thumb_func
\name:
	.endm

	.macro	end_function name
	.size	\name, . - \name
	.endm

#endif
/* clang-format on */

#endif
