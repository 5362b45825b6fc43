/*
 * TinyJAMBU's keyed permutation on two shares, for Armv6-M.
 *
 * References: H. Wu, T. Huang, "TinyJAMBU" (Version 2, 2021), section 3.2.3.
 * Y. Ishai, A. Sahai, D. Wagner, CRYPTO 2003, and H. Gross, S. Mangard, T. Korak, TIS 2016: the
 * product.
 *
 * Scheduling. As in ../armv7m/permute.S, all words of the state are in registers that pw_random32
 * preserves, and the first shares are processed before the second ones. The second shares are in
 * high registers, from where they are copied for each shift. The random word is first added to both
 * shares of the sum, so that it needs no register afterwards, then:
 *
 *   1. the linear part of the first share and the product of the first shares;
 *   2. the product of the first share of s70 and the second one of s85, in place of the former;
 *   3. the product of the second share of s70 and the first one of s85, in place of the latter, and
 *      that of the second shares, in place of the former, which wait in registers;
 *   4. the second share of the new word: 3, the linear part and 3. The linear part separates the
 *      two products, whose difference is a product with s85 itself, in the operand latches.
 *
 * This also holds on cores whose latches get both operands of moves, loads and stores.
 *
 * Registers: R4 to R7 the first shares of the state, R8 to R11 the second ones; R0 to R3 scratch.
 *
 * Cycles of a call, with the generator in software:
 *
 *               1024 steps  640 steps  1024 steps in C  640 steps in C
 *   STM32F030         2742       1743             3737            2357
 *   SAMD21            3269       2075             4448            2804
 */
#include "../native.h"

#if MASKED_NATIVE_PERMUTE && PW_ARMV6M

/* The stack: four high registers, and the arguments. */
#define STATE 16
#define KEY 20
#define COUNT 24

/* Adds \word, shifted by \shift, to \sum; \copy is scratch. */
	.macro	add_shifted sum, copy, shift, word, n
	\shift	\copy, \word, #\n
	eors	\sum, \copy
	.endm

/* The same with a word in a high register. */
	.macro	add_shifted_high sum, copy, shift, word, n
	mov	\copy, \word
	add_shifted \sum, \copy, \shift, \copy, \n
	.endm

/* Adds the key's word at \at to \sum; \word is scratch. */
	.macro	add_key sum, word, at
	ldr	\word, [sp, #KEY]
	ldr	\word, [\word, #\at]
	eors	\sum, \word
	.endm

/* 32 bits of the words \low and \high from bit \n on; R3 is scratch. */
	.macro	tap bits, low, high, n
	mov	\bits, \low
	lsrs	\bits, \bits, #\n
	mov	r3, \high
	lsls	r3, r3, #32 - \n
	orrs	\bits, r3
	.endm

/* 32 steps. Words s0 to s3 of both shares, and where the key's word is; the new word replaces
 * s0. */
	.macro	steps32 a0, a1, a2, a3, b0, b1, b2, b3, at
	bl	pw_random32
	eors	\a0, r0
	mov	r3, \b0
	eors	r3, r0
	mov	\b0, r3
	add_shifted \a0, r1, lsrs, \a1, 15
	add_shifted \a0, r1, lsls, \a2, 17
	add_shifted \a0, r1, lsrs, \a2, 27
	add_shifted \a0, r1, lsls, \a3, 5
	add_key	\a0, r1, \at
	lsrs	r0, \a2, #6
	lsls	r1, \a3, #26
	orrs	r0, r1
	lsrs	r1, \a2, #21
	lsls	r2, \a3, #11
	orrs	r1, r2
	movs	r2, r0
	ands	r2, r1
	mvns	r2, r2
	eors	\a0, r2
	tap	r2, \b2, \b3, 21
	ands	r0, r2
	eors	\a0, r0
	tap	r0, \b2, \b3, 6
	ands	r1, r0
	ands	r0, r2
	mov	r3, \b0
	eors	r3, r1
	add_shifted_high r3, r2, lsrs, \b1, 15
	add_shifted_high r3, r2, lsls, \b2, 17
	add_shifted_high r3, r2, lsrs, \b2, 27
	add_shifted_high r3, r2, lsls, \b3, 5
	add_key	r3, r2, \at + 4
	eors	r3, r0
	mov	\b0, r3
	.endm

/* Loads or stores a high register at R0 + \at. */
	.macro	load_high word, at
	ldr	r1, [r0, #\at]
	mov	\word, r1
	.endm

	.macro	store_high word, at
	mov	r1, \word
	str	r1, [r0, #\at]
	.endm

/* 128 steps R2 times with the key at R1 on the state at R0. */
	function masked_permute
	push	{r0-r2, r4-r7, lr}
	mov	r4, r8
	mov	r5, r9
	mov	r6, r10
	mov	r7, r11
	push	{r4-r7}
	ldr	r4, [r0]
	ldr	r5, [r0, #8]
	ldr	r6, [r0, #16]
	ldr	r7, [r0, #24]
	load_high r8, 4
	load_high r9, 12
	load_high r10, 20
	load_high r11, 28
each_128:
	steps32	r4, r5, r6, r7, r8, r9, r10, r11, 0
	steps32	r5, r6, r7, r4, r9, r10, r11, r8, 8
	steps32	r6, r7, r4, r5, r10, r11, r8, r9, 16
	steps32	r7, r4, r5, r6, r11, r8, r9, r10, 24
	ldr	r0, [sp, #COUNT]
	subs	r0, r0, #1
	str	r0, [sp, #COUNT]
	beq	1f
	b	each_128
1:	ldr	r0, [sp, #STATE]
	str	r4, [r0]
	str	r5, [r0, #8]
	str	r6, [r0, #16]
	str	r7, [r0, #24]
	store_high r8, 4
	store_high r9, 12
	store_high r10, 20
	store_high r11, 28
	pop	{r4-r7}
	mov	r8, r4
	mov	r9, r5
	mov	r10, r6
	mov	r11, r7
	add	sp, sp, #12
	pop	{r4-r7, pc}
	end_function masked_permute

#endif
