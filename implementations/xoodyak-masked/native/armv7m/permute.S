/*
 * Xoodoo[12] on two shares, for Armv7-M.
 *
 * References: J. Daemen et al., "Xoodyak, a lightweight cryptographic scheme" (v2, 2021), the
 * permutation Xoodoo, with the same names.
 * Y. Ishai, A. Sahai, D. Wagner, CRYPTO 2003, and H. Gross, S. Mangard, T. Korak, TIS 2016: the
 * product.
 *
 * Scheduling. The second share of each lane is stored turned: rotated right by TURN bits. A bit of
 * one share then meets another bit's share wherever lanes follow each other in a register, an
 * operand latch, on a bus or in memory. Theta, rho-west and rho-east commute with rotations. TURN
 * and its sums with the distances of these steps are not among the distances, so that rotated
 * shares do not meet either. Only products need both shares in the same places: there, the second
 * operand is rotated in the instruction, which costs nothing. Their order is that of Ascon's
 * assembly (ascon-masked/native/armv7m): the products of each share alone, in register t, and then
 * the two products of different shares in register u, each with the random word before it is added
 * to a share.
 *
 * The rotation of plane 2 in rho-west is not applied. It is part of the rotations of operands in
 * chi, and of the one of rho-east after it.
 *
 * Theta processes one share after the other: the lanes of planes 0 and 1 are in registers, with the
 * parities of all columns; those of plane 2 are loaded twice. Chi processes one column after the
 * other, with all six words in registers that pw_random32 preserves. Each product follows its
 * random word, so that draws are spread over the round, for generators that need time for the next
 * one. Its sum is stored at once; the third product replaces its lane. Plane 2's shift by two lanes
 * in rho-east is left to the theta of the next round, which reads it there; before the first round
 * and after the last one, lanes are swapped.
 *
 * Registers: R11 the state. Theta: R0 to R3 plane 0, R4 to R7 plane 1, R8 to R10 and R12 the
 * parities, LR scratch. Chi: R4 to R6 the first shares of a column, R7 to R9 the second ones; R0
 * the random word, R1 and R2 the shares of a sum, R3 and R12 scratch.
 *
 * Cycles of a call, with the part's generator, and on the STM32F103 and the RP2350 with the one in
 * software:
 *
 *                        assembly     C
 *   SAM3X8E                 14942  16888
 *   SAMD51                  14163  14582
 *   STM32F407 at 24 MHz      5655   6614
 *   STM32F103 at 24 MHz      5655   6674
 *   RP2350 (Cortex-M33)      6104
 */
#include "../native.h"

#include "constants.h"

#if MASKED_NATIVE_PERMUTE && PW_ARMV7M

#define TURN MASKED_TURN
#define state r11
#define random r0
#define t r3
#define u r12

/* The distances to which the lanes of planes are still to be rotated right in chi. */
#define PENDING0 0
#define PENDING1 0
#define PENDING2 21

/* z = s + ~y * x: the product of the lanes in \ya, \yb and \xa, \xb; \fz, \fy and \fx are the
 * planes' distances. Registers end with `a` for the first and `b` for the second share. */
	.macro	add_product za, zb, sa, sb, fz, ya, yb, fy, xa, xb, fx
	and	t, \xb, \yb, ror #(\fy - \fx) & 31
	eor	\zb, \sb, t, ror #(\fx - \fz) & 31
	bic	t, \xa, \ya, ror #(\fy - \fx) & 31
	eor	\za, \sa, t, ror #(\fx - \fz) & 31
	bic	u, \xb, \ya, ror #(\fy - \fx + TURN) & 31
	eor	u, random, u
	eor	\za, \za, u, ror #(\fx - TURN - \fz) & 31
	and	u, \yb, \xa, ror #(\fx - \fy + TURN) & 31
	eor	u, random, u, ror #(\fy - \fx) & 31
	eor	\zb, \zb, u, ror #(\fx - \fz) & 31
	.endm

/* Chi for the column whose lanes are at \at, \at + 32 and \at + 64, and the rotations of
 * rho-east. */
	.macro	chi	at
	ldr	r4, [state, #\at]
	ldr	r5, [state, #\at + 32]
	ldr	r6, [state, #\at + 64]
	ldr	r7, [state, #\at + 4]
	ldr	r8, [state, #\at + 36]
	ldr	r9, [state, #\at + 68]
	bl	pw_random32
	add_product r1, r2, r4, r7, PENDING0, r5, r8, PENDING1, r6, r9, PENDING2
	str	r1, [state, #\at]
	str	r2, [state, #\at + 4]
	bl	pw_random32
	add_product r1, r2, r5, r8, PENDING1, r6, r9, PENDING2, r4, r7, PENDING0
	ror	r1, r1, #31
	ror	r2, r2, #31
	str	r1, [state, #\at + 32]
	str	r2, [state, #\at + 36]
	bl	pw_random32
	add_product r6, r9, r6, r9, PENDING2, r4, r7, PENDING0, r5, r8, PENDING1
	ror	r6, r6, #(PENDING2 + 24) & 31
	ror	r9, r9, #(PENDING2 + 24) & 31
	str	r6, [state, #\at + 64]
	str	r9, [state, #\at + 68]
	.endm

/* Adds plane 2's lane at \at, shifted by two lanes, to a column of \a and \b: the parity. */
	.macro	parity sum, a, b, at
	ldr	lr, [state, #\at]
	eor	\sum, \a, \b
	eor	\sum, \sum, lr
	.endm

/* P <<< 5 + P <<< 14 except for a rotation right by 27. */
	.macro	effect p
	eor	\p, \p, \p, ror #(18 - 27) & 31
	.endm

	.macro	add_effect e, registers:vararg
	.irp	lane, \registers
	eor	\lane, \lane, \e, ror #27
	.endr
	.endm

/* Theta and rho-west for the share at \at, 0 or 4. */
	.macro	theta	at
	each_lane ldr, \at, r0, r1, r2, r3, r4, r5, r6, r7
	parity	r8, r0, r4, \at + 80
	parity	r9, r1, r5, \at + 88
	parity	r10, r2, r6, \at + 64
	parity	r12, r3, r7, \at + 72
	effect	r8
	effect	r9
	effect	r10
	effect	r12
	add_effect r12, r0, r4
	add_effect r8, r1, r5
	add_effect r9, r2, r6
	add_effect r10, r3, r7
	each_lane str, \at + 32, r7, r4, r5, r6
	.if	\at == 0
	ldr	r4, [sp]
	ldrh	lr, [r4], #2
	str	r4, [sp]
	eor	r0, r0, lr
	.endif
	each_lane str, \at, r0, r1, r2, r3
	each_lane ldr, \at + 64, r2, r3, r0, r1
	add_effect r12, r0
	add_effect r8, r1
	add_effect r9, r2
	add_effect r10, r3
	each_lane str, \at + 64, r0, r1, r2, r3
	.endm

/* Loads or stores consecutive lanes of a share from \at on. */
	.macro	each_lane access, at, registers:vararg
	.set	.Lat, \at
	.irp	lane, \registers
	\access	\lane, [state, #.Lat]
	.set	.Lat, .Lat + 8
	.endr
	.endm

/* Exchanges lanes 0 and 2, and 1 and 3, of plane 2, for both shares. */
	.macro	swap
	.irp	share, 0, 4
	each_lane ldr, \share + 64, r0, r1, r2, r3
	each_lane str, \share + 64, r2, r3, r0, r1
	.endr
	.endm

	function masked_permute
	push	{r3-r11, lr}
	mov	state, r0
	adr	r1, constants
	str	r1, [sp]
	swap
each_round:
	theta	0
	theta	4
	.irp	column, 0, 8, 16, 24
	chi	\column
	.endr
	ldr	r0, [sp]
	adr	r1, constants_end
	cmp	r0, r1
	bne.w	each_round
	swap
	pop	{r3-r11, pc}

	.balign	4
constants:
	.hword	XOODOO_CONSTANTS
constants_end:
	end_function masked_permute

#endif
