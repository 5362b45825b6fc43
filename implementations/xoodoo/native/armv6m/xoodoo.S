/*
 * Xoodoo[12] for Armv6-M.
 *
 * References: J. Daemen et al., "Xoodyak, a lightweight cryptographic scheme" (v2, 2021), the
 * permutation Xoodoo; same names.
 *
 * Scheduling. Only eight registers take part in computations, and an access to memory costs two
 * cycles, a move from or to one of the other six registers one. So each lane is read and written
 * once in a round: theta's sums are added to the lanes of a column on their way to chi, and the
 * column parities of the next round are collected from the results of chi. The four sums of theta
 * stay in registers until the last column that needs them; their registers then hold the next
 * parities. chi needs one more register only: adding to a0, then to a1, then to a2 gives the same
 * result from lanes that are already changed as from the old ones. The lane of plane 1 that the
 * last column writes is the one that the first column of the next round reads, and stays where it
 * is.
 *
 * A shift by whole lanes only renames registers and places on the stack: planes 1 and 2 are back in
 * place after four rounds. Distances of rotations are set where they are needed; the last three
 * columns share one.
 *
 * Twelve rounds are unrolled. With XOODOO_SMALL, a loop contains four.
 *
 * Registers: R1 to R4 parities, then the sums of theta; R5 a lane of plane 1; R6, R7 and R0
 * scratch. R8 to R11 plane 2, R12 and LR two lanes of plane 0; the other lanes are on the stack. R2
 * and R6, R3 and R7 are exchanged in every second round.
 *
 * Cycles of a call of xoodoo_permute from C:
 *
 *                 12 rounds unrolled  XOODOO_SMALL  fast32 in C
 *   STM32F030                   1733          1806         2276
 *   RP2040 in SRAM              1732          1801         2271
 *   SAMD21                      2117          2216         2726
 *   flash                     3.0 KB        1.1 KB       1.2 KB
 */
#include "arm.h"

#if PW_ARMV6M

#include "api.h"

/* Between rounds, the lane 3 of plane 1. */
#define z r5
#define t r0
#define p0 r1
#define p3 r4

/* The stack: the other lanes of planes 0 and 1. */
#define A2 0
#define A3 4
#define B0 8
#define B1 12
#define B2 16
#define B3 20
#ifdef XOODOO_SMALL
#define CONSTANTS 24 /* the address of those of the next round */
#define STATE 28
#define FRAME 28
#else
#define STATE 24
#define FRAME 24
#endif

/* theta's sum that a column adds to the next one, from the parity \p. */
	.macro	effect p, x, y
	mov	t, \p
	rors	t, \x
	eors	\p, t
	rors	\p, \y
	.endm

/* x += z & ~y */
	.macro	add_and_not x, y, z, scratch
	mov	\scratch, \z
	bics	\scratch, \y
	eors	\x, \scratch
	.endm

/* The rotation of a lane of plane 2 before chi. */
	.macro	rotate_before c, scratch
	movs	\scratch, #21
	rors	\c, \scratch
	.endm

/* chi for a column, and the rotation of its lane of plane 2 after it. */
	.macro	chi a, b, c, scratch
	add_and_not \a, \b, \c, \scratch
	add_and_not \b, \c, \a, \scratch
	add_and_not \c, \a, \b, \scratch
	movs	\scratch, #24
	rors	\c, \scratch
	.endm

/* Adds a constant of the round to a lane. */
	.macro	iota a, r, constant
#ifdef XOODOO_SMALL
	ldr	t, [sp, #CONSTANTS]
	ldrh	t, [t, #2 * \r]
#else
	.if	\constant > 255
	movs	t, #\constant >> 2
	lsls	t, t, #2
	.else
	movs	t, #\constant
	.endif
#endif
	eors	\a, t
	.endm

/* Round \r of four; the lanes 0 to 3 of planes 1 and 2 are in \b0_ to \b2_ and \c0_ to \c3_,
 * and lane 0 of plane 1 moves to \free. Parities come in p0, \p1, \p2, p3 and leave in p0, \x,
 * \y, p3. */
	.macro	round r, constant, p1, p2, x, y, b0_, b1_, b2_, free, c0_, c1_, c2_, c3_
	movs	\x, #23
	movs	\y, #27
	effect	p0, \x, \y
	effect	\p1, \x, \y
	effect	\p2, \x, \y
	effect	p3, \x, \y
	/* Column 0. */
	mov	\x, r12
	eors	\x, p3
	iota	\x, \r, \constant
	mov	\y, \c0_
	eors	\y, p3
	eors	z, \p2
	rotate_before \y, t
	chi	\x, z, \y, t
	movs	t, #31
	rors	z, t
	mov	r12, \x
	mov	\c0_, \y
	str	z, [sp, #\free]
	/* Column 1; leaves 31 in t. */
	ldr	z, [sp, #\b0_]
	eors	z, p3
	mov	\x, lr
	eors	\x, p0
	mov	\y, \c1_
	eors	\y, p0
	rotate_before \y, p3
	chi	\x, z, \y, p3
	movs	t, #31
	rors	z, t
	mov	lr, \x
	mov	\c1_, \y
	str	z, [sp, #\b0_]
	eors	\x, z
	/* Column 2. */
	ldr	z, [sp, #\b1_]
	eors	z, p0
	ldr	\y, [sp, #A2]
	eors	\y, \p1
	mov	p0, \c2_
	eors	p0, \p1
	rotate_before p0, p3
	chi	\y, z, p0, p3
	rors	z, t
	str	\y, [sp, #A2]
	mov	\c2_, p0
	str	z, [sp, #\b1_]
	eors	\y, z
	mov	p3, \c0_
	eors	\y, p3
	mov	p3, r12
	eors	p0, p3
	ldr	p3, [sp, #\free]
	eors	p0, p3
	/* Column 3. */
	ldr	z, [sp, #\b2_]
	eors	z, \p1
	ldr	p3, [sp, #A3]
	eors	p3, \p2
	mov	\p1, \c3_
	eors	\p1, \p2
	rotate_before \p1, \p2
	chi	p3, z, \p1, \p2
	rors	z, t
	str	p3, [sp, #A3]
	mov	\c3_, \p1
	eors	\x, \p1
	eors	p3, z
	mov	\p2, \c1_
	eors	p3, \p2
	.endm

	.macro	four_rounds constant_0, constant_1, constant_2, constant_3
	round	0, \constant_0, r2, r3, r6, r7, B0, B1, B2, B3, r8, r9, r10, r11
	round	1, \constant_1, r6, r7, r2, r3, B3, B0, B1, B2, r10, r11, r8, r9
	round	2, \constant_2, r2, r3, r6, r7, B2, B3, B0, B1, r8, r9, r10, r11
	round	3, \constant_3, r6, r7, r2, r3, B1, B2, B3, B0, r10, r11, r8, r9
	.endm

/* void xoodoo_permute(xoodoo_state *state) */
function xoodoo_permute
	push	{r4-r7, lr}
	mov	r4, r8
	mov	r5, r9
	mov	r6, r10
	mov	r7, r11
	push	{r0, r4-r7}
	sub	sp, #FRAME
#ifdef XOODOO_SMALL
	adr	r1, .Lconstants
	str	r1, [sp, #CONSTANTS]
#endif
	ldmia	r0!, {r1-r4}
	mov	r12, r1
	mov	lr, r2
	str	r3, [sp, #A2]
	str	r4, [sp, #A3]
	ldmia	r0!, {r5-r7}
	eors	r1, r5
	eors	r2, r6
	eors	r3, r7
	str	r5, [sp, #B0]
	str	r6, [sp, #B1]
	str	r7, [sp, #B2]
	ldmia	r0!, {r5-r7}
	eors	r4, r5
	eors	r1, r6
	eors	r2, r7
	mov	r8, r6
	mov	r9, r7
	ldmia	r0!, {r6-r7}
	eors	r3, r6
	eors	r4, r7
	mov	r10, r6
	mov	r11, r7
#ifdef XOODOO_SMALL
	b	.Lloop
	.balign	4
.Lconstants:
	.hword	0x058, 0x038, 0x3c0, 0x0d0, 0x120, 0x014, 0x060, 0x02c, 0x380, 0x0f0, 0x1a0, 0x012, 0
.Lloop:
	four_rounds
	ldr	r0, [sp, #CONSTANTS]
	adds	r0, #8
	str	r0, [sp, #CONSTANTS]
	ldrh	r0, [r0]
	cmp	r0, #0
	beq	.Lend
	b	.Lloop
.Lend:
#else
	four_rounds 0x058, 0x038, 0x3c0, 0x0d0
	four_rounds 0x120, 0x014, 0x060, 0x02c
	four_rounds 0x380, 0x0f0, 0x1a0, 0x012
#endif
	ldr	r0, [sp, #STATE]
	mov	r1, r12
	mov	r2, lr
	ldr	r3, [sp, #A2]
	ldr	r4, [sp, #A3]
	stmia	r0!, {r1-r4}
	ldr	r1, [sp, #B0]
	ldr	r2, [sp, #B1]
	ldr	r3, [sp, #B2]
	stmia	r0!, {r1-r3, r5}
	mov	r1, r8
	mov	r2, r9
	mov	r3, r10
	mov	r4, r11
	stmia	r0!, {r1-r4}
	add	sp, #FRAME + 4
	pop	{r4-r7}
	mov	r8, r4
	mov	r9, r5
	mov	r10, r6
	mov	r11, r7
	pop	{r4-r7, pc}
end_function xoodoo_permute

#endif
