/*
 * Sparkle256, Sparkle384 and Sparkle512 for AVR.
 *
 * References: C. Beierle et al., "Schwaemm and Esch" (v1.2, 2021), section 2.1; same names; AVR
 * Instruction Set Manual (DS40002198).
 *
 * Scheduling. A branch stays in registers from its ARX-box until the linear layer has added it. The
 * ARX-boxes of the left branches come first, and the sums of their words stay in registers. The
 * left branch and the sums are then added to each right branch, which is stored in place of the
 * previous right branch; the left branch stays in its place. This exchanges the halves without
 * moves, so there are two forms of a step, which alternate, and a third one for the right branches
 * in the last step of an odd number. The first right branch is on the stack until its place is
 * free.
 *
 * Rotations by 8, 16 and 24 bits only rename registers. x + (y >>> 31) is computed as x + y + y
 * with the first bit of y as carry, which needs no copy of y.
 *
 * Registers: x and y of a branch; t is temporary; u and v are the sums of x and y; c is the
 * branch's constant; Y points to the state, Z to the step's constant in flash.
 *
 * Cycles of a call from C on AVRe+ (ATmega328P), and flash:
 *
 *                     slim             big   flash
 *   Sparkle256   4,212 (7 steps)   5,937 (10)   2.6 KB
 *   Sparkle384   6,090 (7)         9,496 (11)   3.8 KB
 *   Sparkle512   9,022 (8)        13,492 (12)   4.9 KB
 */
#include "avr.h"

#if PW_AVR

#define UINT32_C(x) x
#include "constants.h"
#include "variant.h"

#define HALF (4 * SPARKLE_BRANCHES)

#define x0 r2
#define x1 r3
#define x2 r4
#define x3 r5
#define y0 r6
#define y1 r7
#define y2 r8
#define y3 r9
#define t0 r10
#define t1 r11
#define t2 r12
#define t3 r13
#define step r14
#define c0 r16
#define c1 r17
#define c2 r18
#define c3 r19
#define u0 r20
#define u1 r21
#define u2 r22
#define u3 r23
#define v0 r24
#define v1 r25
#define v2 r26
#define v3 r27
#define remaining r15

/* x ^= c. */
	.macro	add_constant
	eor	x0, c0
	eor	x1, c1
	eor	x2, c2
	eor	x3, c3
	.endm

/* t = a >>> 1, for four bytes a. */
	.macro	rotate_right a0, a1, a2, a3
	movw	t0, \a0
	movw	t2, \a2
	bst	t0, 0
	lsr	t3
	ror	t2
	ror	t1
	ror	t0
	bld	t3, 7
	.endm

/* A_c for the branch in x and y: 81 cycles. */
	.macro	alzette constant
	ldi	c0, lo8(\constant)
	ldi	c1, hi8(\constant)
	ldi	c2, hlo8(\constant)
	ldi	c3, hhi8(\constant)
	mov	t0, y3			/* x += y >>> 31 */
	lsl	t0
	adc	x0, y0
	adc	x1, y1
	adc	x2, y2
	adc	x3, y3
	add	x0, y0
	adc	x1, y1
	adc	x2, y2
	adc	x3, y3
	eor	y0, x3			/* y ^= x >>> 24 */
	eor	y1, x0
	eor	y2, x1
	eor	y3, x2
	add_constant
	rotate_right y2, y3, y0, y1	/* x += y >>> 17 */
	add	x0, t0
	adc	x1, t1
	adc	x2, t2
	adc	x3, t3
	rotate_right x2, x3, x0, x1	/* y ^= x >>> 17 */
	eor	y0, t0
	eor	y1, t1
	eor	y2, t2
	eor	y3, t3
	add_constant
	add	x0, y0			/* x += y */
	adc	x1, y1
	adc	x2, y2
	adc	x3, y3
	movw	t0, x0			/* y ^= x >>> 31 */
	movw	t2, x2
	lsl	t0
	rol	t1
	rol	t2
	rol	t3
	adc	t0, r1
	eor	y0, t0
	eor	y1, t1
	eor	y2, t2
	eor	y3, t3
	add_constant
	add	x0, y3			/* x += y >>> 24 */
	adc	x1, y0
	adc	x2, y1
	adc	x3, y2
	eor	y0, x2			/* y ^= x >>> 16 */
	eor	y1, x3
	eor	y2, x0
	eor	y3, x1
	add_constant
	.endm

	.macro	load offset, a0, a1, a2, a3
	ldd	\a0, Y + \offset
	ldd	\a1, Y + \offset + 1
	ldd	\a2, Y + \offset + 2
	ldd	\a3, Y + \offset + 3
	.endm

	.macro	store offset, a0, a1, a2, a3
	std	Y + \offset, \a0
	std	Y + \offset + 1, \a1
	std	Y + \offset + 2, \a2
	std	Y + \offset + 3, \a3
	.endm

	.macro	load_branch offset
	load	\offset, x0, x1, x2, x3
	load	(\offset + 4), y0, y1, y2, y3
	.endm

	.macro	store_branch offset
	store	\offset, x0, x1, x2, x3
	store	(\offset + 4), y0, y1, y2, y3
	.endm

/* Adds the next byte of the step's constant to a register. */
	.macro	add_step_constant a
	lpm	r0, Z+
	eor	\a, r0
	.endm

/* Branch `i` of the left half, which begins at `offset`. */
	.macro	left_branch offset, i, constant
	load_branch (\offset + 8 * \i)
	.if	\i == 0
	add_step_constant y0
	add_step_constant y1
	add_step_constant y2
	add_step_constant y3
	.endif
	.if	\i == 1
	eor	y0, step
	inc	step
	.endif
	alzette	\constant
	store_branch (\offset + 8 * \i)
	.if	\i == 0
	movw	u0, x0
	movw	u2, x2
	movw	v0, y0
	movw	v2, y2
	.else
	eor	u0, x0
	eor	u1, x1
	eor	u2, x2
	eor	u3, x3
	eor	v0, y0
	eor	v1, y1
	eor	v2, y2
	eor	v3, y3
	.endif
	.endm

/* The left half at `offset`, and l of its sums; the bytes of the result are in u2, u3, u0, u1. */
	.macro	left_half offset
	left_branch \offset, 0, SPARKLE_C0
	left_branch \offset, 1, SPARKLE_C1
#if SPARKLE_BRANCHES > 4
	left_branch \offset, 2, SPARKLE_C2
#endif
#if SPARKLE_BRANCHES > 6
	left_branch \offset, 3, SPARKLE_C3
#endif
	eor	u2, u0
	eor	u3, u1
	eor	v2, v0
	eor	v3, v1
	.endm

/* Four bytes of the left half, and of a sum, are added to a right branch. With `copy`, the former
 * become the right branch. */
	.macro	add_left from, copy, to, a0, a1, a2, a3, s0, s1, s2, s3
	load	\from, t0, t1, t2, t3
	.if	\copy
	store	\to, t0, t1, t2, t3
	.endif
	eor	\a0, t0
	eor	\a1, t1
	eor	\a2, t2
	eor	\a3, t3
	eor	\a0, \s0
	eor	\a1, \s1
	eor	\a2, \s2
	eor	\a3, \s3
	.endm

/* Branch `i` of the right half, which begins at `right`; the left one begins at `left`. */
	.macro	right_branch left, right, i, copy, constant
	load_branch (\right + 8 * \i)
	alzette	\constant
	add_left (\left + 8 * \i), \copy, (\right + 8 * \i), x0, x1, x2, x3, v2, v3, v0, v1
	add_left (\left + 8 * \i + 4), \copy, (\right + 8 * \i + 4), y0, y1, y2, y3, u2, u3, u0, u1
	.if	\i == 0
	.irp	a, x0, x1, x2, x3, y0, y1, y2, y3
	push	\a
	.endr
	.elseif	\copy
	store_branch (\left + 8 * \i - 8)
	.else
	store_branch (\right + 8 * \i - 8)
	.endif
	.endm

/* The right half and the end of the linear layer. Its result is the left half then, at `right` or,
 * with `copy`, at `left`. */
	.macro	right_half left, right, copy
#if SPARKLE_BRANCHES == 4
	right_branch \left, \right, 0, \copy, SPARKLE_C2
	right_branch \left, \right, 1, \copy, SPARKLE_C3
#elif SPARKLE_BRANCHES == 6
	right_branch \left, \right, 0, \copy, SPARKLE_C3
	right_branch \left, \right, 1, \copy, SPARKLE_C4
	right_branch \left, \right, 2, \copy, SPARKLE_C5
#else
	right_branch \left, \right, 0, \copy, SPARKLE_C4
	right_branch \left, \right, 1, \copy, SPARKLE_C5
	right_branch \left, \right, 2, \copy, SPARKLE_C6
	right_branch \left, \right, 3, \copy, SPARKLE_C7
#endif
	.irp	a, y3, y2, y1, y0, x3, x2, x1, x0
	pop	\a
	.endr
	.if	\copy
	store_branch (\left + HALF - 8)
	.else
	store_branch (\right + HALF - 8)
	.endif
	.endm

/* The constants of twelve steps: eight, the first four of them twice. */
	.section .progmem.data.sparkle_steps, "a", @progbits
	.type	sparkle_steps, @object
sparkle_steps:
	.long	SPARKLE_C0, SPARKLE_C1, SPARKLE_C2, SPARKLE_C3
	.long	SPARKLE_C4, SPARKLE_C5, SPARKLE_C6, SPARKLE_C7
	.long	SPARKLE_C0, SPARKLE_C1, SPARKLE_C2, SPARKLE_C3
	.size	sparkle_steps, . - sparkle_steps

/* void sparkle_permute(sparkle_state *state, unsigned steps): 1 to 12 steps. */
	function sparkle_permute
	push_preserved
	movw	r28, r24
	mov	remaining, r22
	ldi	r30, lo8(sparkle_steps)
	ldi	r31, hi8(sparkle_steps)
	clr	step
1:	left_half 0
	dec	remaining
	brne	2f
	rjmp	3f
2:	right_half 0, HALF, 0
	left_half HALF
	right_half HALF, 0, 0
	dec	remaining
	breq	4f
	rjmp	1b
4:	rjmp	5f
3:	right_half 0, HALF, 1
5:	pop_preserved
	ret
	end_function sparkle_permute

#endif
