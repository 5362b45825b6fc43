/*
 * Sparkle384 for Armv6-M.
 *
 * References: C. Beierle et al., "Schwaemm and Esch" (v1.2, 2021), section 2.1; same names.
 *
 * Scheduling. Only eight registers take part in computations. Four hold the distances of rotations
 * all the time, so that a rotated copy takes two instructions, and an ARX-box 26. The other four
 * hold a branch, its constant and a copy. Of the other words, six are in the upper registers, which
 * a move reads or writes in one cycle, and the rest on the stack, where it takes two: both sums of
 * the left branches, which are read three times, and two branches are in registers. The linear
 * layer adds left branch and sum to a right branch where its ARX-box ends. The words stay in place:
 * branches only change names. The last branch that a step computes is the one that the next step
 * begins with.
 *
 * All steps are unrolled. Constants are copied to the stack, where they are read without wait
 * states.
 *
 * Registers: R0, R1 branch, R2 constant, R3 copy, R4 to R7 distances, R8, R9 sums, R10 to R12 and
 * LR words.
 *
 * Cycles of a call of sparkle_permute from C:
 *
 *                    11 steps  7 steps  in C: 11 steps  7 steps
 *   STM32F030            2917     1906            3717     2385
 *   RP2040 in SRAM       2914     1903            3703     2375
 *   SAMD21               3555     2317            4514     2894
 *   flash              5.1 KB                   0.7 KB
 */
#include "arm.h"

#if PW_ARMV6M

#define UINT32_C(x) x
#include "api.h"
#include "constants.h"
#include "variant.h"

#endif

#if PW_ARMV6M && SPARKLE_BRANCHES == 6

#define x r0
#define y r1
#define c r2
#define t r3
#define by31 r4
#define by24 r5
#define by17 r6
#define by16 r7

/* The places of words, as numbers: 0 to 5 are registers. */
#define SUM_X 0
#define SUM_Y 1
#define BEGIN 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13

/* The stack: words in the places from 6 on, constants, and arguments. */
#define WORDS 0
#define CONSTANTS 32
#define FRAME 64
#define STATE (FRAME + 16)
#define STEPS (FRAME + 20)

/* Loads a word. */
	.macro	get register, number
	.if	\number > 5
	ldr	\register, [sp, #WORDS + 4 * (\number - 6)]
	.elseif	\number == 0
	mov	\register, r8
	.elseif	\number == 1
	mov	\register, r9
	.elseif	\number == 2
	mov	\register, r10
	.elseif	\number == 3
	mov	\register, r11
	.elseif	\number == 4
	mov	\register, r12
	.else
	mov	\register, lr
	.endif
	.endm

/* Stores it. */
	.macro	put register, number
	.if	\number > 5
	str	\register, [sp, #WORDS + 4 * (\number - 6)]
	.elseif	\number == 0
	mov	r8, \register
	.elseif	\number == 1
	mov	r9, \register
	.elseif	\number == 2
	mov	r10, \register
	.elseif	\number == 3
	mov	r11, \register
	.elseif	\number == 4
	mov	r12, \register
	.else
	mov	lr, \register
	.endif
	.endm

	.macro	get_constant i
	ldr	c, [sp, #CONSTANTS + 4 * (\i & 7)]
	.endm

/* x += y >>> \by */
	.macro	add_rotated by
	mov	t, y
	rors	t, \by
	adds	x, x, t
	.endm

/* y ^= x >>> \by; x ^= c */
	.macro	xor_rotated by
	mov	t, x
	rors	t, \by
	eors	y, t
	eors	x, c
	.endm

/* A_c */
	.macro	alzette
	add_rotated by31
	xor_rotated by24
	add_rotated by17
	xor_rotated by17
	adds	x, x, y
	xor_rotated by31
	add_rotated by24
	xor_rotated by16
	.endm

/* \sum = l(word + words \a and \b) */
	.macro	add_up sum, word, a, b
	get	t, \a
	eors	t, \word
	get	c, \b
	eors	t, c
	lsls	c, t, #16
	eors	t, c
	rors	t, by16
	put	t, \sum
	.endm

/* The right branch \x1, \y1 becomes a left one; \x0, \y0 is the left one with its number. */
	.macro	right i, x0, y0, x1, y1
	get	x, \x1
	get	y, \y1
	get_constant \i
	alzette
	get	t, \x0
	eors	x, t
	get	t, SUM_Y
	eors	x, t
	get	t, \y0
	eors	y, t
	get	t, SUM_X
	eors	y, t
	.endm

/* Step \i, with left branch 1 in x and y before, and left branch 1 of the next step after it. */
	.macro	step i, x0, y0, x1, y1, x2, y2, x3, y3, x4, y4, x5, y5
	.if	\i
	movs	t, #\i
	eors	y, t
	.endif
	get_constant 1
	alzette
	put	x, \x1
	put	y, \y1
	get	x, \x0
	get	y, \y0
	get_constant \i
	eors	y, c
	.if	\i & 7
	get_constant 0
	.endif
	alzette
	put	x, \x0
	put	y, \y0
	get	x, \x2
	get	y, \y2
	get_constant 2
	alzette
	put	x, \x2
	put	y, \y2
	add_up	SUM_X, x, \x0, \x1
	add_up	SUM_Y, y, \y0, \y1
	right	3, \x0, \y0, \x3, \y3
	put	x, \x3
	put	y, \y3
	right	4, \x1, \y1, \x4, \y4
	put	x, \x4
	put	y, \y4
	right	5, \x2, \y2, \x5, \y5
	.endm

/* Step \i, and then the \left - 1 steps that follow. */
	.macro	steps left, i, x0, y0, x1, y1, x2, y2, x3, y3, x4, y4, x5, y5
	step	\i, \x0, \y0, \x1, \y1, \x2, \y2, \x3, \y3, \x4, \y4, \x5, \y5
	.if	\left > 1
	steps	(\left-1), (\i+1), \x4, \y4, \x5, \y5, \x3, \y3, \x0, \y0, \x1, \y1, \x2, \y2
	.else
	finish	\i, \x4, \y4, \x5, \y5, \x3, \y3, \x0, \y0, \x1, \y1, \x2, \y2
	.endif
	.endm

/* Stores the state and returns if the last step was step \i; otherwise, the others follow. */
	.macro	finish i, x0, y0, x1, y1, x2, y2, more:vararg
	.if	\i == SPARKLE_SLIM - 1
	ldr	t, [sp, #STEPS]
	cmp	t, #SPARKLE_SLIM
	beq	1f
	b	2f
1:
	.endif
	ldr	t, [sp, #STATE]
	str	x, [t, #8]
	str	y, [t, #12]
	get	x, \x0
	get	y, \y0
	stmia	t!, {x, y}
	get	x, \x2
	get	y, \y2
	str	x, [t, #8]
	str	y, [t, #12]
	adds	t, #16
	store_words_at \more
	add	sp, #FRAME
	pop	{r2-r5}
	mov	r8, r2
	mov	r9, r3
	mov	r10, r4
	mov	r11, r5
	add	sp, #8
	pop	{r4-r7, pc}
	.if	\i == SPARKLE_SLIM - 1
2:
	steps	(SPARKLE_BIG-SPARKLE_SLIM), SPARKLE_SLIM, \x0, \y0, \x1, \y1, \x2, \y2, \more
	.endif
	.endm

	.macro	store_words_at a, b, c_, d, e, f
	get	x, \a
	get	y, \b
	get	c, \c_
	stmia	t!, {x, y, c}
	get	x, \d
	get	y, \e
	get	c, \f
	stmia	t!, {x, y, c}
	.endm

/* void sparkle_permute(sparkle_state *state, unsigned steps) */
function sparkle_permute
	push	{r0, r1, r4-r7, lr}
	mov	r2, r8
	mov	r3, r9
	mov	r4, r10
	mov	r5, r11
	push	{r2-r5}
	sub	sp, #FRAME
	adr	r7, .Lconstants
	add	r6, sp, #CONSTANTS
	ldmia	r7!, {r1-r4}
	stmia	r6!, {r1-r4}
	ldmia	r7!, {r1-r4}
	stmia	r6!, {r1-r4}
	ldmia	r0!, {r1-r4}
	mov	r10, r1
	mov	r11, r2
	mov	r12, r3
	mov	lr, r4
	add	r6, sp, #WORDS
	ldmia	r0!, {r1-r4}
	stmia	r6!, {r1-r4}
	ldmia	r0!, {r1-r4}
	stmia	r6!, {r1-r4}
	mov	x, r12
	mov	y, lr
	movs	by31, #31
	movs	by24, #24
	movs	by17, #17
	movs	by16, #16
	b	.Lsteps
	.balign	4
.Lconstants:
	.word	SPARKLE_C0, SPARKLE_C1, SPARKLE_C2, SPARKLE_C3
	.word	SPARKLE_C4, SPARKLE_C5, SPARKLE_C6, SPARKLE_C7
.Lsteps:
	steps	SPARKLE_SLIM, 0, BEGIN
end_function sparkle_permute

#endif
