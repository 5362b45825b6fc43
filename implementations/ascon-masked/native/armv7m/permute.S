/*
 * Ascon's permutations on two shares, with interleaved bits, for Armv7-M.
 *
 * References: NIST SP 800-232 (2025), sections 3.2 to 3.4; Ascon v1.2 (2021), section 2.6.
 * Y. Ishai, A. Sahai, D. Wagner, CRYPTO 2003, and H. Gross, S. Mangard, T. Korak, TIS 2016: the
 * product.
 *
 * Scheduling. The second share of each word is stored turned: both of its halves are rotated right
 * by TURN bits. A bit of one share then meets another bit's share wherever words follow each other
 * in a register, an operand latch, on a bus or in memory, and both bits are random together. The
 * linear layer commutes with rotations. Only products need both shares in the same places: there,
 * the second operand is rotated in the instruction, which costs nothing, so that no register holds
 * a share turned back. Their order is such that values of the same bits are separated by one with a
 * fresh random word, also if an operand latch holds the rotated operand:
 *
 *   1. the product of the second shares, then that of the first ones, both in register t;
 *   2. the two products of different shares in register u, each with the random word before it is
 *      added to a share. The last value of u before and after is random.
 *
 * The substitution layer processes the even halves of all words first, then the odd ones: ten words
 * in registers. x0 and x1 of before the products are saved on the stack. The linear layer processes
 * the words in turn, the first share before the second one.
 *
 * Generators of parts have a new word every 84 cycles or later, so that ten in a row would mean
 * waiting. A round draws four between and in the middle of the parts of the substitution layer,
 * where few registers are in use, and in the linear layer six of those that the next round needs.
 * The last round does not draw those six, and they are drawn before the first one.
 *
 * Registers: R11 the state; R0, R2, R4, R5, R6 the first shares of x0 to x4, R1, R3, R7, R8, R9 the
 * second ones; R10, R12 and LR scratch. In the linear layer: R1, R2 a word, R3, R4 the new one, R5
 * the bytes of constants that are left.
 *
 * Cycles of a call, with the part's generator, and on the STM32F103 and the RP2350 with the one in
 * software:
 *
 *                        12 rounds  8 rounds  12 rounds in C  8 rounds in C
 *   SAM3X8E                  12482      8379           15385          10326
 *   SAMD51                   11180      7495           13073           8760
 *   STM32F407 at 24 MHz       6079      4086            8153           5480
 *   STM32F103 at 24 MHz       5874      3930            8523           5730
 *   RP2350 (Cortex-M33)       5908      3952
 */
#include "../native.h"

#if MASKED_NATIVE_PERMUTE && PW_ARMV7M

#define TURN MASKED_TURN
#define BACK (32 - TURN)

#define t r10
#define state r11
#define u r12
#define random lr
#define left r5

/* The stack: random words; the first shares of x0 and x1 before the products, and the second ones;
 * the constants of the next round. */
#define FIRST 40
#define SECOND 48
#define CONSTANTS 56
#define FRAME 60

/* Draws the random word at \at. */
	.macro	draw at
	bl	pw_random32
	str	r0, [sp, #\at]
	.endm

/* Draws it if there is a next round. */
	.macro	draw_ahead at
	cbz	left, 1f
	draw	\at
1:
	.endm

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
	ldr	r1, [sp, #CONSTANTS]
	ldrb	random, [r1], #1
	str	r1, [sp, #CONSTANTS]
	ldr	r0, [state, #\half]
	ldr	r2, [state, #\half + 16]
	ldr	r4, [state, #\half + 32]
	ldr	r5, [state, #\half + 48]
	ldr	r6, [state, #\half + 64]
	ldr	r1, [state, #\half + 8]
	ldr	r3, [state, #\half + 24]
	ldr	r7, [state, #\half + 40]
	ldr	r8, [state, #\half + 56]
	ldr	r9, [state, #\half + 72]
	eor	r4, r4, random
	eor	r0, r0, r6
	eor	r6, r6, r5
	eor	r4, r4, r2
	eor	r1, r1, r9
	eor	r9, r9, r8
	eor	r7, r7, r3
	strd	r0, r2, [sp, #FIRST]
	strd	r1, r3, [sp, #SECOND]
	add_product r0, r1, r2, r3, r4, r7, \at
	add_product r2, r3, r4, r7, r5, r8, \at + 4
	eor	r2, r2, r0
	eor	r3, r3, r1
	str	r0, [state, #\half]
	str	r2, [state, #\half + 16]
	str	r1, [state, #\half + 8]
	str	r3, [state, #\half + 24]
	draw	\at + 8
	ldr	r2, [sp, #FIRST]
	ldr	r3, [sp, #SECOND]
	add_product r4, r7, r5, r8, r6, r9, \at + 8
	add_product r5, r8, r6, r9, r2, r3, \at + 12
	eor	r5, r5, r4
	eor	r8, r8, r7
	str	r5, [state, #\half + 48]
	str	r8, [state, #\half + 56]
	ldr	r5, [sp, #FIRST + 4]
	ldr	r8, [sp, #SECOND + 4]
	add_product r6, r9, r2, r3, r5, r8, \at + 16
	ldr	r0, [state, #\half]
	ldr	r1, [state, #\half + 8]
	eor	r0, r0, r6
	mvn	r4, r4
	str	r0, [state, #\half]
	str	r4, [state, #\half + 32]
	str	r6, [state, #\half + 64]
	eor	r1, r1, r9
	str	r1, [state, #\half + 8]
	str	r7, [state, #\half + 40]
	str	r9, [state, #\half + 72]
	.endm

/* Adds two rotations of a share at \at to it: \e1 and \e2 rotated by the following numbers to the
 * even half, \o1 and \o2 to the odd one. */
	.macro	sigma_share at, e1, m1, e2, m2, o1, n1, o2, n2
	ldrd	r1, r2, [state, #\at]
	eor	r3, r1, \e1, ror #\m1
	eor	r3, r3, \e2, ror #\m2
	eor	r4, r2, \o1, ror #\n1
	eor	r4, r4, \o2, ror #\n2
	strd	r3, r4, [state, #\at]
	.endm

/* The same for both shares of the word at \at. */
	.macro	sigma at, rotations:vararg
	sigma_share \at, \rotations
	sigma_share \at + 8, \rotations
	.endm

/* Applies the rounds from the one with the constant R1 to the last to the state at R0. */
	function masked_permute
	push	{r4-r11, lr}
	sub	sp, sp, #FRAME
	mov	state, r0
	rsb	r1, r1, #0xf1
	mov	r2, #17
	mul	r1, r1, r2
	lsr	r1, r1, #8 /* rounds to leave out */
	adr	r2, constants
	add	r1, r2, r1, lsl #1
	str	r1, [sp, #CONSTANTS]
	.irp	at, 4, 12, 16, 24, 32, 36
	draw	\at
	.endr
each_round:
	draw	0
	substitute 0, 0
	draw	20
	substitute 4, 20
	ldr	r1, [sp, #CONSTANTS]
	adr	r2, constants_end
	sub	left, r2, r1
	draw_ahead 4
	sigma	0, r2, 9, r1, 14, r1, 10, r2, 14
	draw_ahead 12
	sigma	16, r2, 30, r2, 19, r1, 31, r1, 20
	draw_ahead 16
	sigma	32, r2, 0, r1, 3, r1, 1, r2, 3
	draw_ahead 24
	sigma	48, r1, 5, r2, 8, r2, 5, r1, 9
	draw_ahead 32
	sigma	64, r2, 3, r2, 20, r1, 4, r1, 21
	draw_ahead 36
	cmp	left, #0
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
