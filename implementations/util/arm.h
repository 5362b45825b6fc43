/*
 * Shared by all assembly for Arm's M profile: macros for the instruction set of the target, and
 * macros for the assembler.
 *
 * References: Arm C Language Extensions (ACLE), section "Predefined macros".
 *
 * PW_ARMV7M is 1 if the target has Thumb-2 (Armv7-M, Armv7E-M and Armv8-M Mainline), PW_ARMV6M if
 * it has only the instructions of Armv6-M (Armv6-M, Armv8-M Baseline), PW_ARM_DSP if it has the DSP
 * instructions (Cortex-M4, Cortex-M33), PW_ARMV8M if it is Armv8-M Mainline (Cortex-M33). All are 0
 * on big-endian targets.
 */
#ifndef PENNYWEIGHT_UTIL_NATIVE_ARM_H
#define PENNYWEIGHT_UTIL_NATIVE_ARM_H

#if defined(__ARM_ARCH_ISA_THUMB) && !defined(__ARM_ARCH_ISA_ARM) && !defined(__ARM_BIG_ENDIAN)
#if __ARM_ARCH_ISA_THUMB == 2
#define PW_ARMV7M 1
#if defined(__ARM_FEATURE_DSP) && __ARM_FEATURE_DSP
#define PW_ARM_DSP 1
#endif
#ifdef __ARM_ARCH_8M_MAIN__
#define PW_ARMV8M 1
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
#ifndef PW_ARMV8M
#define PW_ARMV8M 0
#endif

/* clang-format off */
#if defined(__ASSEMBLER__) && (PW_ARMV7M || PW_ARMV6M)

#include "assembly.h"

	.macro	each_word instruction, at, offset, registers:vararg
	.set	.Loffset, \offset
	.irp	register, \registers
	\instruction \register, [\at, #.Loffset]
	.set	.Loffset, .Loffset + 4
	.endr
	.endm

/* Loads consecutive words from \at + \offset, which may have any alignment. */
	.macro	load_words at, offset, registers:vararg
	each_word ldr, \at, \offset, \registers
	.endm

/* Stores consecutive words at \at + \offset, which may have any alignment. */
	.macro	store_words at, offset, registers:vararg
	each_word str, \at, \offset, \registers
	.endm

/* Exchanges the bits of \a under \mask << \n with those of \b under \mask; \x is scratch. */
	.macro	exchange a, b, n, mask, x
	eor	\x, \b, \a, lsr #\n
	and	\x, \x, #\mask
	eors	\b, \x
	eor	\a, \a, \x, lsl #\n
	.endm

#endif
/* clang-format on */

#endif
