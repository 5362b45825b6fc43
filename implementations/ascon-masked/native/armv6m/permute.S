/*
 * Ascon's permutations on two shares, with interleaved bits, for Armv6-M.
 *
 * References: NIST SP 800-232 (2025), sections 3.2 to 3.4; Ascon v1.2 (2021), section 2.6.
 * Y. Ishai, A. Sahai, D. Wagner, CRYPTO 2003, and H. Gross, S. Mangard, T. Korak, TIS 2016: the
 * product.
 *
 * Scheduling. As in ../armv7m/permute.S, the second share of each word is stored turned: both of
 * its halves are rotated right by TURN bits, and words that follow each other anywhere hold bits of
 * different places. A product turns copies only. The random word is first added to both shares of
 * the sum, then:
 *
 *   1. the second share times the first one, turned;
 *   2. the product of the first shares, which is not turned: it separates 1 from 3 in register t;
 *   3. the first share times the second one, turned back;
 *   4. the product of the second shares, which are turned.
 *
 * A constant separates 2 from 3 in the operand latches, so that this also holds on cores whose
 * latches get both operands of moves, loads and stores.
 *
 * The substitution layer processes the even halves of all words first, then the odd ones. Three of
 * the five words are in registers; each product replaces the one that is no longer needed. x0 and
 * x1 of before the products are saved on the stack. In the linear layer, the rotations of a half
 * are made one after the other by the difference, with distances in registers for both shares. The
 * ten random words of a round are drawn before it: parts with these cores have no generator to wait
 * for.
 *
 * Registers: R0 to R5 three words of two shares, R6 and R7 scratch; R8 the state, R9 the constants
 * of the next round, R10 their end. In the linear layer: R0 the place, R1, R2 a word, R3, R4 the
 * new one, R5 to R7 distances.
 *
 * Cycles of a call, with the generator in software:
 *
 *               12 rounds  8 rounds  12 rounds in C  8 rounds in C
 *   STM32F030        9801      6549           13164           8885
 *   SAMD21          11309      7553           15428          10412
 */
#include "../native.h"

#if MASKED_NATIVE_PERMUTE && PW_ARMV6M

#define TURN MASKED_TURN
#define BACK (32 - TURN)

#define t r6
#define u r7

/* The stack: random words; the shares of x0 and of x1 before the products. */
#define BEFORE 40
#define FRAME 56

/* z += ~y * x, with the random word at \at. Words end with `a` for the first and `b` for the second
 * share. */
	.macro	add_product za, zb, ya, yb, xa, xb, at
	ldr	t, [sp, #\at]
	eors	\za, t
	movs	u, #TURN
	rors	t, u
	eors	\zb, t
	mov	t, \xa
	rors	t, u
	ands	t, \yb
	eors	\zb, t
	mov	t, \xa
	bics	t, \ya
	eors	\za, t
	movs	u, #BACK
	mov	t, \xb
	rors	t, u
	bics	t, \ya
	eors	\za, t
	mov	t, \yb
	ands	t, \xb
	eors	\zb, t
	.endm

/* Loads the half at \at of both shares of a word. */
	.macro	load a, b, at
	mov	t, r8
	ldr	\a, [t, #\at]
	ldr	\b, [t, #\at + 8]
	.endm

	.macro	store a, b, at
	mov	t, r8
	str	\a, [t, #\at]
	str	\b, [t, #\at + 8]
	.endm

/* Adds the half at \at of a word to both shares. */
	.macro	add_word a, b, at
	mov	t, r8
	ldr	u, [t, #\at]
	eors	\a, u
	ldr	u, [t, #\at + 8]
	eors	\b, u
	.endm

/* The substitution layer of the halves at \half, 0 or 4, with the random words from \at on. */
	.macro	substitute half, at
	load	r0, r1, \half
	add_word r0, r1, \half + 64
	load	r2, r3, \half + 16
	load	r4, r5, \half + 32
	eors	r4, r2
	eors	r5, r3
	mov	t, r9
	ldrb	u, [t]
	eors	r4, u
	adds	t, #1
	mov	r9, t
	str	r0, [sp, #BEFORE]
	str	r1, [sp, #BEFORE + 4]
	str	r2, [sp, #BEFORE + 8]
	str	r3, [sp, #BEFORE + 12]
	add_product r0, r1, r2, r3, r4, r5, \at
	eors	r2, r0
	eors	r3, r1
	store	r0, r1, \half
	load	r0, r1, \half + 48
	add_product r2, r3, r4, r5, r0, r1, \at + 4
	store	r2, r3, \half + 16
	load	r2, r3, \half + 64
	eors	r2, r0
	eors	r3, r1
	add_product r4, r5, r0, r1, r2, r3, \at + 8
	eors	r0, r4
	eors	r1, r5
	mvns	r4, r4
	store	r4, r5, \half + 32
	ldr	r4, [sp, #BEFORE]
	ldr	r5, [sp, #BEFORE + 4]
	add_product r0, r1, r2, r3, r4, r5, \at + 12
	store	r0, r1, \half + 48
	ldr	r0, [sp, #BEFORE + 8]
	ldr	r1, [sp, #BEFORE + 12]
	add_product r2, r3, r4, r5, r0, r1, \at + 16
	store	r2, r3, \half + 64
	add_word r2, r3, \half
	store	r2, r3, \half
	.endm

/* Adds to \sum the half \of, rotated right by the distance in \by. */
	.macro	add_rotated sum, of, by
	rors	\of, \by
	eors	\sum, \of
	.endm

/* Copies the next share of a word, which \change then makes the new one. */
	.macro	diffuse_share change
	ldr	r1, [r0]
	ldr	r2, [r0, #4]
	mov	r3, r1
	mov	r4, r2
	\change
	stmia	r0!, {r3, r4}
	.endm

	.macro	diffuse change
	diffuse_share \change
	diffuse_share \change
	.endm

	.macro	sigma0 /* r2 >>> 9, 14; r1 >>> 10, 14; a fourth distance is not in a register */
	add_rotated r3, r2, r5
	add_rotated r4, r2, r6
	movs	r6, #10
	add_rotated r4, r1, r6
	add_rotated r3, r1, r7
	movs	r6, #5
	.endm

	.macro	sigma1 /* r2 >>> 19, 30; r1 >>> 20, 31 */
	add_rotated r3, r2, r5
	add_rotated r3, r2, r7
	add_rotated r4, r1, r6
	add_rotated r4, r1, r7
	.endm

	.macro	sigma2 /* r1 >>> 1, 3; r2 >>> 0, 3 */
	eors	r3, r2
	add_rotated r4, r2, r7
	add_rotated r4, r1, r5
	add_rotated r3, r1, r6
	.endm

	.macro	sigma3 /* r2 >>> 5, 8; r1 >>> 5, 9 */
	add_rotated r4, r2, r5
	add_rotated r3, r2, r6
	add_rotated r3, r1, r5
	add_rotated r4, r1, r7
	.endm

	.macro	distances first, second, third
	movs	r5, #\first
	movs	r6, #\second
	movs	r7, #\third
	.endm

/* Applies the rounds from the one with the constant R1 to the last to the state at R0. */
	function masked_permute
	push	{r4-r7, lr}
	mov	r4, r8
	mov	r5, r9
	mov	r6, r10
	push	{r4-r6}
	sub	sp, sp, #FRAME
	mov	r8, r0
	movs	r2, #0xf1
	subs	r2, r2, r1
	lsls	r1, r2, #4
	adds	r1, r1, r2
	lsrs	r1, r1, #8 /* rounds to leave out */
	lsls	r1, r1, #1
	adr	r2, constants
	adds	r1, r1, r2
	mov	r9, r1
	adds	r2, r2, #constants_end - constants
	mov	r10, r2
	b	each_round

/* Even and odd bits of the constants of twelve rounds. */
	.balign	4
constants:
	.byte	0xc, 0xc, 0x9, 0xc, 0xc, 0x9, 0x9, 0x9, 0x6, 0xc, 0x3, 0xc
	.byte	0x6, 0x9, 0x3, 0x9, 0xc, 0x6, 0x9, 0x6, 0xc, 0x3, 0x9, 0x3
constants_end:

each_round:
	.set	.Lat, 0
	.rept	10
	bl	pw_random32
	str	r0, [sp, #.Lat]
	.set	.Lat, .Lat + 4
	.endr
	substitute 0, 0
	substitute 4, 20
	mov	r0, r8
	distances 9, 5, 4
	diffuse	sigma0
	distances 19, 20, 11
	diffuse	sigma1
	distances 1, 2, 3
	diffuse	sigma2
	distances 5, 3, 4
	diffuse	sigma3
	distances 3, 4, 17
	diffuse	sigma1 /* r2 >>> 3, 20; r1 >>> 4, 21 */
	cmp	r9, r10
	beq	1f
	b	each_round
1:	add	sp, sp, #FRAME
	pop	{r4-r6}
	mov	r8, r4
	mov	r9, r5
	mov	r10, r6
	pop	{r4-r7, pc}
	end_function masked_permute

#endif
