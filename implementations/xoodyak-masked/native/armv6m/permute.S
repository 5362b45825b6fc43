/*
 * Xoodoo[12] on two shares, for Armv6-M.
 *
 * References: J. Daemen et al., "Xoodyak, a lightweight cryptographic scheme" (v2, 2021), the
 * permutation Xoodoo, with the same names.
 * Y. Ishai, A. Sahai, D. Wagner, CRYPTO 2003, and H. Gross, S. Mangard, T. Korak, TIS 2016: the
 * product.
 *
 * Scheduling. As in ../armv7m/permute.S, the second share of each lane is stored rotated right by
 * TURN bits, and lanes that follow each other anywhere hold bits of different places. A product
 * turns copies only, in the order of ascon-masked/native/armv6m, which also holds on cores whose
 * latches get both operands of moves, loads and stores.
 *
 * Theta processes one share after the other, with the parities in registers and all lanes in
 * memory. Chi processes one column after the other in registers. Before a product replaces a lane
 * that later ones need, the lane is copied to high registers. The three random words of a column
 * are drawn before it is loaded: parts with these cores have no generator to wait for.
 *
 * Plane 2's shift by two lanes in rho-east is left to the theta of the next round, which reads it
 * there; before the first round and after the last one, lanes are swapped.
 *
 * Registers: R8 the state. Theta: R0 to R3 the parities, R7 the state, R4 to R6 scratch. Chi: R0 to
 * R5 three lanes of two shares; R9, R10 and R12 random words; R11 and LR the shares of a lane that
 * was replaced; R6 and R7 scratch.
 *
 * Cycles of a call, with the generator in software:
 *
 *               assembly     C
 *   STM32F030      10870  10994
 *   SAMD21         12535  12956
 */
#include "../native.h"

#include "constants.h"

#if MASKED_NATIVE_PERMUTE && PW_ARMV6M

#define TURN MASKED_TURN
#define BACK (32 - TURN)

#define state r8
#define t r6
#define u r7

/* z += ~y * x, with the random word in \random. Registers end with `a` for the first and `b` for
 * the second share. */
	.macro	add_product za, zb, ya, yb, xa, xb, random
	mov	t, \random
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

/* Loads both shares of the lane at \at. */
	.macro	load a, b, at
	ldr	\a, [t, #\at]
	ldr	\b, [t, #\at + 4]
	.endm

/* Stores both shares of the lane at \at. */
	.macro	store a, b, at
	mov	t, state
	str	\a, [t, #\at]
	str	\b, [t, #\at + 4]
	.endm

	.macro	save a, b
	mov	r11, \a
	mov	lr, \b
	.endm

	.macro	restore a, b
	mov	\a, r11
	mov	\b, lr
	.endm

	.macro	rotate a, b, n
	movs	u, #\n
	rors	\a, u
	rors	\b, u
	.endm

/* Chi for the column whose lanes are at \at, \at + 32 and \at + 64, and the rotations of
 * rho-east. */
	.macro	chi	at
	.irp	random, r9, r10, r12
	bl	pw_random32
	mov	\random, r0
	.endr
	mov	t, state
	load	r0, r1, \at
	load	r2, r3, \at + 32
	load	r4, r5, \at + 64
	save	r0, r1
	add_product r0, r1, r2, r3, r4, r5, r9
	store	r0, r1, \at
	restore	r0, r1
	save	r2, r3
	add_product r2, r3, r4, r5, r0, r1, r10
	rotate	r2, r3, 31
	store	r2, r3, \at + 32
	restore	r2, r3
	add_product r4, r5, r0, r1, r2, r3, r12
	rotate	r4, r5, 24
	store	r4, r5, \at + 64
	.endm

/* Column \x's parity for the share at \share; plane 2's lane \shifted belongs to it. */
	.macro	parity p, share, x, shifted
	ldr	\p, [r7, #\share + 8 * \x]
	ldr	t, [r7, #\share + 8 * \x + 32]
	eors	\p, t
	ldr	t, [r7, #\share + 8 * \shifted + 64]
	eors	\p, t
	.endm

/* p = p <<< 5 + p <<< 14, with distances in R4 and R5. */
	.macro	effect p
	mov	t, \p
	rors	t, r4
	eors	\p, t
	rors	\p, r5
	.endm

/* Loads the lane at \at and adds \e. */
	.macro	load_sum lane, e, at
	ldr	\lane, [r7, #\at]
	eors	\lane, \e
	.endm

/* Adds \e0 and \e2 to plane 2's lanes at \at + 16 and \at, which are lanes x and x + 2 from here
 * on, and rotates them by the distance in R5. */
	.macro	add_shifted at, e0, e2
	load_sum r4, \e0, \at + 16
	load_sum t, \e2, \at
	rors	r4, r5
	rors	t, r5
	str	r4, [r7, #\at]
	str	t, [r7, #\at + 16]
	.endm

/* Theta and rho-west for the share at \share, 0 or 4. */
	.macro	theta	share
	mov	r7, state
	parity	r0, \share, 0, 2
	parity	r1, \share, 1, 3
	parity	r2, \share, 2, 0
	parity	r3, \share, 3, 1
	movs	r4, #23
	movs	r5, #27
	.irp	p, r0, r1, r2, r3
	effect	\p
	.endr
	load_sum t, r3, \share
	.if	\share == 0
	ldr	r4, [sp]
	ldrh	r5, [r4]
	adds	r4, r4, #2
	str	r4, [sp]
	eors	t, r5
	.endif
	str	t, [r7, #\share]
	load_sum t, r0, \share + 8
	str	t, [r7, #\share + 8]
	load_sum t, r1, \share + 16
	str	t, [r7, #\share + 16]
	load_sum t, r2, \share + 24
	str	t, [r7, #\share + 24]
	load_sum r4, r3, \share + 32
	load_sum r5, r0, \share + 40
	str	r4, [r7, #\share + 40]
	load_sum r4, r1, \share + 48
	str	r5, [r7, #\share + 48]
	load_sum r5, r2, \share + 56
	str	r4, [r7, #\share + 56]
	str	r5, [r7, #\share + 32]
	movs	r5, #21
	add_shifted \share + 64, r3, r1
	add_shifted \share + 72, r0, r2
	.endm

/* Exchanges two lanes of plane 2 at \at and \at + 16 of the state at R0. */
	.macro	exchange_lanes at
	ldr	r1, [r0, #\at]
	ldr	r2, [r0, #\at + 16]
	str	r2, [r0, #\at]
	str	r1, [r0, #\at + 16]
	.endm

/* Exchanges lanes 0 and 2, and 1 and 3, of plane 2, for both shares. */
	.macro	swap
	.irp	at, 64, 72, 68, 76
	exchange_lanes \at
	.endr
	.endm

	function masked_permute
	push	{r4-r7, lr}
	mov	r4, r8
	mov	r5, r9
	mov	r6, r10
	mov	r7, r11
	push	{r4-r7}
	sub	sp, sp, #4
	mov	state, r0
	adr	r1, constants
	str	r1, [sp]
	swap
	b	each_round

	.balign	4
constants:
	.hword	XOODOO_CONSTANTS
constants_end:

each_round:
	theta	0
	theta	4
	.irp	column, 0, 8, 16, 24
	chi	\column
	.endr
	ldr	r0, [sp]
	ldr	r1, =constants_end
	cmp	r0, r1
	beq	1f
	b	each_round
1:	mov	r0, state
	swap
	add	sp, sp, #4
	pop	{r4-r7}
	mov	r8, r4
	mov	r9, r5
	mov	r10, r6
	mov	r11, r7
	pop	{r4-r7, pc}
	.ltorg
	end_function masked_permute

#endif
