/*
 * ChaCha20 for Armv6-M: the block function.
 *
 * References: RFC 8439 (2018), sections 2.1 to 2.3; same names.
 *
 * Scheduling. Only eight registers take part in exclusive ors and rotations. Four of them hold the
 * distances of rotations all the time. Additions also reach the upper registers, where x0 to x3, x8
 * and x9 stay: such a word is moved when it is the operand of an exclusive or. The others are on
 * the stack. Columns and diagonals are computed in an order in which each first column or diagonal
 * begins with two words that the last two before it have left in registers. So a double round takes
 * 120 instructions and 32 accesses to memory.
 *
 * The loop counter is one of the distances: they count modulo 32.
 *
 * Registers: R0 copies; R1 x8 to x11, R2 x12 to x15, R3 x4 to x7, R1 also x4 to x7; R4 to R7
 * distances; R8 to R11 x0 to x3, R12 and LR x8 and x9.
 *
 * Cycles of a call of chacha20_block from C:
 *
 *                     here    in C
 *   STM32F030         2058    2388
 *   RP2040 in SRAM    2047    2377
 *   SAMD21            2455    2887
 *   flash           0.4 KB  0.6 KB
 */
#include "arm.h"

#if PW_ARMV6M

#define t r0
#define by16 r4
#define by20 r5
#define by24 r6
#define by25 r7

/* The stack. */
#define X4 0
#define X5 4
#define X6 8
#define X7 12
#define X10 16
#define X11 20
#define X12 24
#define X13 28
#define X14 32
#define X15 36
#define FRAME 40
#define SAVED 16
#define BLOCK (FRAME + SAVED)
#define STATE (FRAME + SAVED + 4)

/* x = (x ^ \y, an upper register) rotated */
	.macro	xor_rotate x, y, by
	mov	t, \y
	eors	\x, t
	rors	\x, \by
	.endm

/* A quarter round with a and c in upper registers. */
	.macro	quarter_round a, b, c, d
	add	\a, \b
	xor_rotate \d, \a, by16
	add	\c, \d
	xor_rotate \b, \c, by20
	add	\a, \b
	xor_rotate \d, \a, by24
	add	\c, \d
	xor_rotate \b, \c, by25
	.endm

/* The same with a in an upper register. */
	.macro	quarter_round_low a, b, c, d
	add	\a, \b
	xor_rotate \d, \a, by16
	adds	\c, \c, \d
	eors	\b, \c
	rors	\b, by20
	add	\a, \b
	xor_rotate \d, \a, by24
	adds	\c, \c, \d
	eors	\b, \c
	rors	\b, by25
	.endm

	.macro	load b, at_b, d, at_d
	ldr	\b, [sp, #\at_b]
	ldr	\d, [sp, #\at_d]
	.endm

	.macro	store b, at_b, d, at_d
	str	\b, [sp, #\at_b]
	str	\d, [sp, #\at_d]
	.endm

/* Adds words on the stack to four of the state and stores the sums. */
	.macro	add_from_stack at
	ldmia	r1!, {r4-r7}
	ldr	r2, [sp, #\at]
	adds	r4, r4, r2
	ldr	r2, [sp, #\at + 4]
	adds	r5, r5, r2
	ldr	r2, [sp, #\at + 8]
	adds	r6, r6, r2
	ldr	r2, [sp, #\at + 12]
	adds	r7, r7, r2
	stmia	r0!, {r4-r7}
	.endm

/* void chacha20_block(uint32_t block[16], const uint32_t state[16]) */
function chacha20_block
	push	{r0, r1, r4-r7, lr}
	mov	r4, r8
	mov	r5, r9
	mov	r6, r10
	mov	r7, r11
	push	{r4-r7}
	sub	sp, #FRAME
	ldmia	r1!, {r4-r7}
	mov	r8, r4
	mov	r9, r5
	mov	r10, r6
	mov	r11, r7
	add	r2, sp, #X4
	ldmia	r1!, {r4-r7}
	mov	r3, r5
	stmia	r2!, {r4-r7}
	ldmia	r1!, {r4-r7}
	mov	r12, r4
	mov	lr, r5
	stmia	r2!, {r6-r7}
	ldmia	r1!, {r4-r7}
	stmia	r2!, {r4-r7}
	mov	r2, r5
	movs	by16, #(16 + 9 * 32) / 2
	lsls	by16, by16, #1
	movs	by20, #20
	movs	by24, #24
	movs	by25, #25
.Ldouble_round:
	/* Columns 1, 3, 2 and 0. */
	quarter_round r9, r3, lr, r2
	store	r3, X5, r2, X13
	load	r3, X7, r2, X15
	ldr	r1, [sp, #X11]
	quarter_round_low r11, r3, r1, r2
	store	r3, X7, r2, X15
	str	r1, [sp, #X11]
	load	r3, X6, r2, X14
	ldr	r1, [sp, #X10]
	quarter_round_low r10, r3, r1, r2
	store	r1, X10, r2, X14
	load	r1, X4, r2, X12
	quarter_round r8, r1, r12, r2
	str	r1, [sp, #X4]
	/* Diagonals 1, 3, 0 and 2. */
	ldr	r1, [sp, #X11]
	quarter_round_low r9, r3, r1, r2
	store	r3, X6, r2, X12
	str	r1, [sp, #X11]
	load	r3, X4, r2, X14
	quarter_round r11, r3, lr, r2
	store	r3, X4, r2, X14
	load	r3, X5, r2, X15
	ldr	r1, [sp, #X10]
	quarter_round_low r8, r3, r1, r2
	store	r1, X10, r2, X15
	load	r1, X7, r2, X13
	quarter_round r10, r1, r12, r2
	str	r1, [sp, #X7]
	subs	by16, #32
	bmi	1f
	b	.Ldouble_round
1:
	store	r3, X5, r2, X13
	ldr	r0, [sp, #BLOCK]
	ldr	r1, [sp, #STATE]
	ldmia	r1!, {r4-r7}
	add	r4, r8
	add	r5, r9
	add	r6, r10
	add	r7, r11
	stmia	r0!, {r4-r7}
	add_from_stack X4
	ldmia	r1!, {r4-r7}
	add	r4, r12
	add	r5, lr
	load	r2, X10, r3, X11
	adds	r6, r6, r2
	adds	r7, r7, r3
	stmia	r0!, {r4-r7}
	add_from_stack X12
	add	sp, #FRAME
	pop	{r4-r7}
	mov	r8, r4
	mov	r9, r5
	mov	r10, r6
	mov	r11, r7
	add	sp, #8
	pop	{r4-r7, pc}
end_function chacha20_block

#endif
