/*
 * TinyJAMBU's keyed permutation on two shares, for Armv7-M.
 *
 * References: H. Wu, T. Huang, "TinyJAMBU" (Version 2, 2021), section 3.2.3.
 * Y. Ishai, A. Sahai, D. Wagner, CRYPTO 2003, and H. Gross, S. Mangard, T. Korak, TIS 2016: the
 * product.
 *
 * Scheduling. All eight words of the state are in registers that pw_random32 preserves. 32 steps at
 * a time, four times in a row so that no word moves, first those of the first share, then those of
 * the second one, each in registers of its own. A bit of one share could meet the same bit of the
 * other one only where both halves of the computation follow each other:
 *
 *   1. The words of the key: the pointer to the key, which is loaded again, passes the bus in
 *      between.
 *   2. The new words of both shares in an operand latch: the first one already contains all of its
 *      linear part, which is random.
 *   3. The products. s70 and s85 are at different places of the words, so that products of
 *      different shares may meet these. But the products of one share of s70 with both shares of
 *      s85, or the other way round, must not follow each other: their difference is a product with
 *      s85 itself. So each one of different shares replaces an operand of it. Its other operand
 *      follows the new word in the latch, not a product.
 *
 * The complement of the product of the first shares costs nothing: its first operand is computed
 * complemented, which also serves the other product.
 *
 * Registers: R4 to R7 the first shares of the state, R8 to R11 the second ones; R0 the random word;
 * R1 and R12 the shares of s70, the first one complemented, R2 and LR those of s85; R3 scratch.
 *
 * Cycles of a call, with the part's generator, and on the STM32F103 and the RP2350 with the one in
 * software:
 *
 *                        1024 steps  640 steps  1024 steps in C  640 steps in C
 *   SAM3X8E                    3098       1952             3159            1986
 *   SAMD51                     2897       1814             2967            1857
 *   STM32F407 at 24 MHz        1628       1034             2128            1342
 *   STM32F103 at 24 MHz        1628       1034             2160            1362
 *   RP2350 (Cortex-M33)        1945       1231
 *
 * The generators of the SAM3X8E and the SAMD51 have a word every 84 cycles, or 2688 for 1024 steps,
 * so that these parts wait most of the time that is saved.
 */
#include "../native.h"

#if MASKED_NATIVE_PERMUTE && PW_ARMV7M

/* The stack: the arguments. */
#define STATE 0
#define KEY 4
#define COUNT 8

/* 32 steps. Words s0 to s3 of both shares, and where the key's word is; the new word replaces
 * s0. */
	.macro	steps32 a0, a1, a2, a3, b0, b1, b2, b3, at
	bl	pw_random32
	ldr	r1, [sp, #KEY]
	ldr	r1, [r1, #\at]
	eor	\a0, \a0, \a1, lsr #15
	eor	\a0, \a0, \a2, lsl #17
	eor	\a0, \a0, \a2, lsr #27
	eor	\a0, \a0, \a3, lsl #5
	eor	\a0, \a0, r1
	mvn	r1, \a2, lsr #6
	bic	r1, r1, \a3, lsl #26
	lsr	r2, \a2, #21
	orr	r2, r2, \a3, lsl #11
	orn	r3, r1, r2
	eor	\a0, \a0, r3
	ldr	r3, [sp, #KEY]
	ldr	r3, [r3, #\at + 4]
	eor	\b0, \b0, \b1, lsr #15
	eor	\b0, \b0, \b2, lsl #17
	eor	\b0, \b0, \b2, lsr #27
	eor	\b0, \b0, \b3, lsl #5
	eor	\b0, \b0, r3
	lsr	r12, \b2, #6
	orr	r12, r12, \b3, lsl #26
	lsr	lr, \b2, #21
	orr	lr, lr, \b3, lsl #11
	and	r3, r12, lr
	eor	\b0, r3, \b0
	bic	lr, lr, r1
	eor	lr, lr, r0
	eor	\a0, \a0, lr
	and	r12, r12, r2
	eor	r12, r12, r0
	eor	\b0, \b0, r12
	.endm

/* Loads or stores the state at R0, the first shares before the second ones. */
	.macro	each_share access
	\access	r4, [r0]
	\access	r5, [r0, #8]
	\access	r6, [r0, #16]
	\access	r7, [r0, #24]
	\access	r8, [r0, #4]
	\access	r9, [r0, #12]
	\access	r10, [r0, #20]
	\access	r11, [r0, #28]
	.endm

/* 128 steps R2 times with the key at R1 on the state at R0. */
	function masked_permute
	push	{r0-r2, r4-r11, lr}
	each_share ldr
each_128:
	steps32	r4, r5, r6, r7, r8, r9, r10, r11, 0
	steps32	r5, r6, r7, r4, r9, r10, r11, r8, 8
	steps32	r6, r7, r4, r5, r10, r11, r8, r9, 16
	steps32	r7, r4, r5, r6, r11, r8, r9, r10, 24
	ldr	r0, [sp, #COUNT]
	subs	r0, r0, #1
	str	r0, [sp, #COUNT]
	bne.w	each_128
	ldr	r0, [sp, #STATE]
	each_share str
	add	sp, sp, #12
	pop	{r4-r11, pc}
	end_function masked_permute

#endif
