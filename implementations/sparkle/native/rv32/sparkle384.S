/*
 * Sparkle384 for RV32I, with and without Zbb.
 *
 * References: C. Beierle et al., "Schwaemm and Esch" (v1.2, 2021), section 2.1; same names.
 *
 * Scheduling. The six branches and their constants are in registers. Without Zbb, a rotation is two
 * shifts whose results are both added to the sum: an ARX-box takes 33 instructions, with Zbb 19.
 * The linear layer takes 24 (22), because l shares a shift between its two parts. It changes the
 * right branches once all ARX-boxes are done, in an order that rotates them without moves. The
 * halves are exchanged by renaming registers, so a loop contains two steps. The constants of the
 * steps are in order on the stack: on the FE310, data in flash would take hundreds of cycles.
 *
 * Registers: s0 to s5 the left branches in even steps, x before y, s6 to s11 the right ones; a2 to
 * a7 the branches' constants, a1 the number of steps, t0 that of the step, t1 the place of its
 * constant; t2 to t5 copies and sums.
 *
 * Cycles of a call of sparkle_permute from C:
 *
 *                       11 steps  7 steps   flash  in C: 11 steps  7 steps
 *   FE310 (E31)             2590     1680  1.8 KB            3028     1945
 *   RP2350 (Hazard3)        1642     1076  1.2 KB            1973     1277
 */
#include "riscv.h"

#if PW_RV32I

#define UINT32_C(x) x
#include "api.h"
#include "constants.h"
#include "variant.h"

#endif

#if PW_RV32I && SPARKLE_BRANCHES == 6

/* The words x and y of the branches, in two halves: a is the left one in steps 0, 2, 4, ..., b in
 * the others. */
#define ax0 s0
#define ay0 s1
#define ax1 s2
#define ay1 s3
#define ax2 s4
#define ay2 s5
#define bx0 s6
#define by0 s7
#define bx1 s8
#define by1 s9
#define bx2 s10
#define by2 s11
/* The constants of the branches. */
#define c0 a2
#define c1 a3
#define c2 a4
#define c3 a5
#define c4 a6
#define c5 a7
/* The number of the step, the constant of the next one on the stack, and the number of steps. */
#define number t0
#define next t1
#define steps a1
/* Scratch: copies and sums. */
#define t t2
#define u t3
#define tx t4
#define ty t5

#define A ax0, ay0, ax1, ay1, ax2, ay2
#define B bx0, by0, bx1, by1, bx2, by2

#define FRAME 96
#define PRESERVED s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11
#define CONSTANTS 48

/* to += from >>> \n */
	.macro	add_rotated to, from, n
#if PW_RV_ZBB
	rori	t, \from, \n
	add	\to, \to, t
#else
	srli	t, \from, \n
	slli	u, \from, 32 - \n
	add	\to, \to, t
	add	\to, \to, u
#endif
	.endm

/* to ^= from >>> \n */
	.macro	xor_rotated to, from, n
#if PW_RV_ZBB
	rori	t, \from, \n
	xor	\to, \to, t
#else
	srli	t, \from, \n
	slli	u, \from, 32 - \n
	xor	\to, \to, t
	xor	\to, \to, u
#endif
	.endm

/* A_c */
	.macro	alzette x, y, c
	add_rotated \x, \y, 31
	xor_rotated \y, \x, 24
	xor	\x, \x, \c
	add_rotated \x, \y, 17
	xor_rotated \y, \x, 17
	xor	\x, \x, \c
	add	\x, \x, \y
	xor_rotated \y, \x, 31
	xor	\x, \x, \c
	add_rotated \x, \y, 24
	xor_rotated \y, \x, 16
	xor	\x, \x, \c
	.endm

/* sum = l(x ^ y ^ z) */
	.macro	add_up sum, x, y, z
	xor	\sum, \x, \y
	xor	\sum, \sum, \z
	slli	t, \sum, 16
	xor	\sum, \sum, t
#if PW_RV_ZBB
	rori	\sum, \sum, 16
#else
	srli	\sum, \sum, 16
	or	\sum, \sum, t
#endif
	.endm

/* For the words x, or the words y: adds the left branches l and \sum to the right branches r, which
 * become the left ones, rotated. */
	.macro	mix sum, l0, l1, l2, r0, r1, r2
	xor	t, \r0, \sum
	xor	\r0, \r1, \l1
	xor	\r1, \r2, \l2
	xor	\r2, t, \l0
	xor	\r0, \r0, \sum
	xor	\r1, \r1, \sum
	.endm

/* A step, with the left branches first. */
	.macro	step x0, y0, x1, y1, x2, y2, x3, y3, x4, y4, x5, y5
	lw	t, (next)
	addi	next, next, 4
	xor	\y1, \y1, number
	addi	number, number, 1
	xor	\y0, \y0, t
	alzette	\x0, \y0, c0
	alzette	\x1, \y1, c1
	alzette	\x2, \y2, c2
	add_up	tx, \x0, \x1, \x2
	add_up	ty, \y0, \y1, \y2
	alzette	\x3, \y3, c3
	alzette	\x4, \y4, c4
	alzette	\x5, \y5, c5
	mix	ty, \x0, \x1, \x2, \x3, \x4, \x5
	mix	tx, \y0, \y1, \y2, \y3, \y4, \y5
	.endm

/* void sparkle_permute(sparkle_state *state, unsigned steps); an odd number of steps */
function sparkle_permute
	save	FRAME, PRESERVED
	each_word lw, a0, 0, A, B
	li	c0, SPARKLE_C0
	li	c1, SPARKLE_C1
	li	c2, SPARKLE_C2
	li	c3, SPARKLE_C3
	li	c4, SPARKLE_C4
	li	c5, SPARKLE_C5
	li	t, SPARKLE_C6
	li	u, SPARKLE_C7
	each_word sw, sp, CONSTANTS, c0, c1, c2, c3, c4, c5, t, u, c0, c1, c2
	addi	next, sp, CONSTANTS
	li	number, 0
	j	2f
	.balign	4
1:	step	B, A
2:	step	A, B
	bne	number, steps, 1b
	each_word sw, a0, 0, B, A
	restore_and_return FRAME, PRESERVED
end_function sparkle_permute

#endif
