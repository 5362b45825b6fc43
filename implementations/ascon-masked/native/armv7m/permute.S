/*
 * Ascon's permutations on two shares, with interleaved bits, for Armv7-M.
 *
 * References: NIST SP 800-232 (2025), sections 3.2 to 3.4; Ascon v1.2 (2021), section 2.6.
 * Y. Ishai, A. Sahai, D. Wagner, CRYPTO 2003, and H. Gross, S. Mangard, T. Korak, TIS 2016: the
 * product.
 *
 * Scheduling. The second share of each word is stored turned: both of its halves are rotated right by
 * TURN bits. A bit of one share then meets another bit's share wherever words follow each other in a
 * register, an operand latch, on a bus or in memory, and both bits are random together. The linear
 * layer commutes with rotations. Only products need both shares in the same places: there, the second
 * operand is rotated in the instruction, which costs nothing, so that no register holds a share turned
 * back. Their order is such that values of the same bits are separated by one with a fresh random word,
 * also if an operand latch holds the rotated operand:
 *
 *   1. the product of the second shares, then that of the first ones, both in register t;
 *   2. the two products of different shares in register u, each with the random word before it is
 *      added to a share. The last value of u before and after is random.
 *
 * The substitution layer processes the even halves of all words first, then the odd ones: ten words in
 * registers. x0 and x1 of before the products are saved on the stack. The linear layer processes all
 * first shares, then all second ones. The ten random words of a round are drawn before it.
 *
 * Registers: R0 the state, R1 to R5 the first shares of x0 to x4, R6 to R10 the second ones; R11, R12
 * and LR scratch. In the linear layer: R1, R2 a word, R3, R4 the new one.
 *
 * Cycles of a call, with the random words of firmware/random/free.c, which take an addition, and those
 * of the C code:
 *
 *                             12 rounds  8 rounds  12 rounds in C  8 rounds in C
 *   Cortex-M3, 0 wait states       5371      3591            8282           5570
 *   Cortex-M4, 0 wait states       5371      3591            7912           5320
 *   nRF52840                       5875      3927            8442           5674
 *   SAM3X8E                        8232      5496           11795           7931
 */
#include "../native.h"

#if MASKED_NATIVE_PERMUTE

#define TURN MASKED_TURN
#define BACK (32 - TURN)

#define t r11
#define u r12
#define random lr

/* The stack: random words; the first shares of x0 and x1 before the products, and the second ones; the
 * state; the constants of the next round. */
#define FIRST 40
#define SECOND 48
#define STATE 56
#define CONSTANTS 60
#define FRAME 68

/* z += ~y * x, with the random word at \at. Words end with `a` for the first and `b` for the second
 * share. */
	.macro	add_product za, zb, ya, yb, xa, xb, at
	ldr	random, [sp, #\at]
	and	t, \yb, \xb
	eor	\zb, \zb, t
	bic	t, \xa, \ya
	eor	\za, \za, t
	bic	u, \xb, \ya, ror #TURN
	eor	u, random, u
	eor	\za, \za, u, ror #BACK
	and	u, \yb, \xa, ror #TURN
	eor	u, random, u
	eor	\zb, \zb, u
	.endm

/* The substitution layer of the halves at \half, 0 or 4, with the random words from \at on. */
	.macro	substitute half, at
	ldr	r1, [r0, #\half]
	ldr	r2, [r0, #\half + 16]
	ldr	r3, [r0, #\half + 32]
	ldr	r4, [r0, #\half + 48]
	ldr	r5, [r0, #\half + 64]
	ldr	r6, [r0, #\half + 8]
	ldr	r7, [r0, #\half + 24]
	ldr	r8, [r0, #\half + 40]
	ldr	r9, [r0, #\half + 56]
	ldr	r10, [r0, #\half + 72]
	eor	r3, r3, random
	eor	r1, r1, r5
	eor	r5, r5, r4
	eor	r3, r3, r2
	eor	r6, r6, r10
	eor	r10, r10, r9
	eor	r8, r8, r7
	strd	r1, r2, [sp, #FIRST]
	strd	r6, r7, [sp, #SECOND]
	add_product r1, r6, r2, r7, r3, r8, \at
	add_product r2, r7, r3, r8, r4, r9, \at + 4
	eor	r2, r2, r1
	eor	r7, r7, r6
	str	r2, [r0, #\half + 16]
	str	r7, [r0, #\half + 24]
	ldr	r2, [sp, #FIRST]
	ldr	r7, [sp, #SECOND]
	add_product r3, r8, r4, r9, r5, r10, \at + 8
	add_product r4, r9, r5, r10, r2, r7, \at + 12
	eor	r4, r4, r3
	eor	r9, r9, r8
	str	r4, [r0, #\half + 48]
	str	r9, [r0, #\half + 56]
	ldr	r4, [sp, #FIRST + 4]
	ldr	r9, [sp, #SECOND + 4]
	add_product r5, r10, r2, r7, r4, r9, \at + 16
	eor	r1, r1, r5
	mvn	r3, r3
	str	r1, [r0, #\half]
	str	r3, [r0, #\half + 32]
	str	r5, [r0, #\half + 64]
	eor	r6, r6, r10
	str	r6, [r0, #\half + 8]
	str	r8, [r0, #\half + 40]
	str	r10, [r0, #\half + 72]
	.endm

/* Adds two rotations of a word to it, for the share at \at: \e1 and \e2 rotated by the following
 * numbers to the even half, \o1 and \o2 to the odd one. */
	.macro	sigma at, e1, m1, e2, m2, o1, n1, o2, n2
	ldrd	r1, r2, [r0, #\at]
	eor	r3, r1, \e1, ror #\m1
	eor	r3, r3, \e2, ror #\m2
	eor	r4, r2, \o1, ror #\n1
	eor	r4, r4, \o2, ror #\n2
	strd	r3, r4, [r0, #\at]
	.endm

/* The linear layer of the shares at \share, 0 or 8. */
	.macro	diffuse share
	sigma	\share, r2, 9, r1, 14, r1, 10, r2, 14
	sigma	\share + 16, r2, 30, r2, 19, r1, 31, r1, 20
	ldrd	r1, r2, [r0, #\share + 32]
	eor	r3, r1, r2
	eor	r3, r3, r1, ror #3
	eor	r4, r2, r1, ror #1
	eor	r4, r4, r2, ror #3
	strd	r3, r4, [r0, #\share + 32]
	sigma	\share + 48, r1, 5, r2, 8, r2, 5, r1, 9
	sigma	\share + 64, r2, 3, r2, 20, r1, 4, r1, 21
	.endm

/* Applies the rounds from the one with the constant R1 to the last to the state at R0. */
	function masked_permute
	push	{r4-r11, lr}
	sub	sp, sp, #FRAME
	rsb	r1, r1, #0xf1
	mov	r2, #17
	mul	r1, r1, r2
	lsr	r1, r1, #8 /* rounds to leave out */
	adr	r2, constants
	add	r1, r2, r1, lsl #1
	strd	r0, r1, [sp, #STATE]
each_round:
	.set	.Lat, 0
	.rept	10
	bl	pw_random32
	str	r0, [sp, #.Lat]
	.set	.Lat, .Lat + 4
	.endr
	ldrd	r0, r1, [sp, #STATE]
	ldrb	random, [r1], #1
	str	r1, [sp, #CONSTANTS]
	substitute 0, 0
	ldr	r1, [sp, #CONSTANTS]
	ldrb	random, [r1], #1
	str	r1, [sp, #CONSTANTS]
	substitute 4, 20
	diffuse	0
	diffuse	8
	ldr	r1, [sp, #CONSTANTS]
	adr	r2, constants_end
	cmp	r1, r2
	bne.w	each_round
	add	sp, sp, #FRAME
	pop	{r4-r11, pc}

/* Even and odd bits of the constants of twelve rounds. */
	.balign	4
constants:
	.byte	0xc, 0xc, 0x9, 0xc, 0xc, 0x9, 0x9, 0x9, 0x6, 0xc, 0x3, 0xc
	.byte	0x6, 0x9, 0x3, 0x9, 0xc, 0x6, 0x9, 0x6, 0xc, 0x3, 0x9, 0x3
constants_end:
	end_function masked_permute

#endif
