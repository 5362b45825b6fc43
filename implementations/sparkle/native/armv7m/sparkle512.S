/*
 * Sparkle512, Schwaemm256-256's loops over whole blocks, and Esch384's, for Armv7-M.
 *
 * References: C. Beierle et al., "Schwaemm and Esch" (v1.2, 2021), sections 2.1 to 2.3; same names.
 *
 * Scheduling. Of sixteen words, eleven are in registers at the beginning of a step: the left
 * branches, a right branch p, and y of another one, q. The right branches t and w, and x of q, are
 * on the stack. The ARX-boxes of the left branches, p and q come first, then the sums, in the
 * registers of two constants. p and q become left branches. The left branches that were added to
 * them are stored, and their registers take t, then w. When w meets the sums and its constant, 19
 * words are needed and there are 14 registers, so five words a step are stored and loaded again.
 *
 * The sum of two branches goes to either's registers, such that registers repeat after two steps.
 * Indices repeat after four: p, q, t and w are i, i + 2, i + 3 and i + 1 in step i. The constant of
 * the step is also that of a branch, which comes first.
 *
 * Constants are on the stack: n loads in a row take n + 1 cycles, and less flash than constants in
 * code.
 *
 * Two boxes are computed at the same time, or one and sums of other branches: on the Cortex-M33, a
 * sum with a rotated word is ready a cycle late.
 *
 * All steps are unrolled, for cores without a code cache. With SPARKLE_SMALL, four steps are a
 * loop, which fits into a cache of 2 KB. It loads the constant and the number of a step.
 *
 * Registers: R0 to R4 the words x of the left branches before even steps and of p, R8 to R12 their
 * words y, LR y of q; R5 to R7 constants and sums. After the steps, execution continues at an
 * address on the stack.
 *
 * Cycles of a call of sparkle_permute from C, and of a block in the loops of Schwaemm (encryption)
 * and Esch:
 *
 *                                       12 steps  8 steps  Schwaemm  Esch  flash (all)
 *   Cortex-M3, Cortex-M4, 0 wait states     1844     1263      1228  1189       6.3 KB
 *   SAM3X8E                                 2068     1434      1406  1324
 *   RP2350 (Cortex-M33)                     1782     1219      1188  1155
 *   nRF52840, SPARKLE_SMALL                 1955     1348      1311  1253       2.5 KB
 */
#include "arm.h"

#if PW_ARMV7M

#define UINT32_C(x) x
#include "api.h"
#include "constants.h"
#include "variant.h"

#endif

#if PW_ARMV7M && SPARKLE_BRANCHES == 8

/* The left branches before even steps, the right branch p, and y of q. Words x and scratch are in
 * the lower registers, for short instructions. */
#define ax0 r0
#define ax1 r1
#define ax2 r2
#define ax3 r3
#define apx r4
#define c0 r5
#define c1 r6
#define c2 r7
#define ay0 r8
#define ay1 r9
#define ay2 r10
#define ay3 r11
#define apy r12
#define aqy lr

#define LEFT ax0, ay0, ax1, ay1, ax2, ay2, ax3, ay3

/* The stack of all functions. */
#ifdef SPARKLE_SMALL
#define AFTER 0  /* where execution continues after the steps */
#define STEPS 4  /* and their number */
#define NUMBER 8 /* the number of the pass's first step */
#define PASS 12  /* the address of its constant */
#define CONSTANTS 16
#define CONSTANTS_BYTES 48
#else
#define AFTER_SLIM 0 /* where execution continues after SPARKLE_SLIM steps */
#define AFTER_BIG 4  /* and after SPARKLE_BIG */
#define CONSTANTS 8
#define CONSTANTS_BYTES 32
#endif
#define RIGHT (CONSTANTS + CONSTANTS_BYTES)
#define FRAME (RIGHT + 32)
/* The arguments. */
#define STATE FRAME
#define ARGUMENT(i) (FRAME + 4 * (i))

/* Wide forms where narrow ones are not faster: on the SAM3X8E, fetching pauses if the core has
 * three words ahead, and resumes late. */
#ifdef SPARKLE_SMALL
#define LDR ldr
#define STR str
#define ADD add
#else
#define LDR ldr.w
#define STR str.w
#define ADD add.w
#endif

	/* c = C_\i of a branch */
	.macro	constant c, i
	LDR	\c, [sp, #CONSTANTS + 4 * (\i)]
	.endm
	.macro	left_constant c, i
	constant \c, (\i) & 3
	.endm
	.macro	right_constant c, i
	constant \c, 4 + ((\i) & 3)
	.endm

	/* Loads or stores a word of right branch \i: 0 for x, 4 for y. */
	.macro	right instruction, register, i, word
	\instruction	\register, [sp, #RIGHT + \word + 8 * ((\i) & 3)]
	.endm

	/* A_c of two branches. */
	.macro	boxes x, y, c, u, v, d
	add	\x, \x, \y, ror #31
	add	\u, \u, \v, ror #31
	eor	\y, \y, \x, ror #24
	eor	\v, \v, \u, ror #24
	eors	\x, \c
	eors	\u, \d
	add	\x, \x, \y, ror #17
	add	\u, \u, \v, ror #17
	eor	\y, \y, \x, ror #17
	eor	\v, \v, \u, ror #17
	eors	\x, \c
	eors	\u, \d
	ADD	\x, \y
	ADD	\u, \v
	eor	\y, \y, \x, ror #31
	eor	\v, \v, \u, ror #31
	eors	\x, \c
	eors	\u, \d
	add	\x, \x, \y, ror #24
	add	\u, \u, \v, ror #24
	eor	\y, \y, \x, ror #16
	eor	\v, \v, \u, ror #16
	eors	\x, \c
	eors	\u, \d
	.endm

	/* A line of A_c after its sum. */
	.macro	line x, y, c, n
	eor	\y, \y, \x, ror #\n
	eors	\x, \c
	.endm

	/* Adds a value to the y of branch 0 or 1; the left branches are those of index i, i + 1, .... */
	.macro	add_to number, branch, value, y0, y1, y2, y3
	.if	((\branch - (\number)) & 3) == 0
	eor	\y0, \y0, \value
	.elseif	((\branch - (\number)) & 3) == 1
	eor	\y1, \y1, \value
	.elseif	((\branch - (\number)) & 3) == 2
	eor	\y2, \y2, \value
	.else
	eor	\y3, \y3, \value
	.endif
	.endm

	/* Step i. The left branches are those of index i, i + 1, i + 2 and i + 3. */
	.macro	step i, x0, y0, x1, y1, x2, y2, x3, y3, px, py, qy
#ifdef SPARKLE_SMALL
	ldr	c0, [sp, #PASS]
	ldr	c1, [sp, #NUMBER]
	ldr	c0, [c0, #4 * (\i)]
	.set	.Lstep, 0
	add_to	\i, 1, c1, \y0, \y1, \y2, \y3
#else
	.set	.Lstep, (\i) & 7
#endif
	.if	.Lstep < 4
#ifdef SPARKLE_SMALL
	add_to	\i, 0, c0, \y0, \y1, \y2, \y3
#endif
	left_constant c0, \i
	left_constant c1, \i + 1
	left_constant c2, \i + 2
	.else
	right_constant c0, \i
	left_constant c1, \i
	left_constant c2, \i + 1
	.endif
#ifndef SPARKLE_SMALL
	add_to	\i, 0, c0, \y0, \y1, \y2, \y3
#endif
	.if	\i
	add_to	\i, 1, #\i, \y0, \y1, \y2, \y3
	.endif
	.if	.Lstep < 4
	boxes	\x0, \y0, c0, \x1, \y1, c1
	left_constant c0, \i + 3
	boxes	\x2, \y2, c2, \x3, \y3, c0
	right_constant c1, \i
	right_constant c0, \i + 2
	right	LDR, c2, \i + 2, 0
	boxes	\px, \py, c1, c2, \qy, c0
	.else
	boxes	\px, \py, c0, \x0, \y0, c1
	left_constant c0, \i + 2
	boxes	\x1, \y1, c2, \x2, \y2, c0
	left_constant c1, \i + 3
	right_constant c0, \i + 2
	right	LDR, c2, \i + 2, 0
	boxes	\x3, \y3, c1, c2, \qy, c0
	.endif
	/* The sums, which l rotates by 16 bits, and p and q, whose x is in c2. */
	eor	c0, \x0, \x1
	eor	c1, \y0, \y1
	eors	c0, \x2
	eor	c1, c1, \y2
	eors	c0, \x3
	eor	c1, c1, \y3
	eor	c0, c0, c0, lsl #16
	eor	c1, c1, c1, lsl #16
	eors	\px, \x0
	eor	\py, \py, \y0
	right	STR, \x0, \i, 0
	right	STR, \y0, \i, 4
	eor	\x0, \px, c1, ror #16
	eor	\y0, \py, c0, ror #16
	eors	c2, \x2
	right	STR, \x2, \i + 2, 0
	eor	\x2, c2, c1, ror #16
	/* t, in the registers of p */
	right	LDR, \px, \i + 3, 0
	right	LDR, \py, \i + 3, 4
	right_constant c2, \i + 3
	right	STR, \y2, \i + 2, 4
	add	\px, \px, \py, ror #31
	eor	\qy, \qy, \y2
	line	\px, \py, c2, 24
	add	\px, \px, \py, ror #17
	eor	\y2, \qy, c0, ror #16
	line	\px, \py, c2, 17
	add	\px, \py
	line	\px, \py, c2, 31
	add	\px, \px, \py, ror #24
	right	STR, \x3, \i + 3, 0
	line	\px, \py, c2, 16
	eors	\px, \x3
	right	LDR, \x3, \i + 1, 0
	right	LDR, \qy, \i + 1, 4
	right_constant c2, \i + 1
	add	\x3, \x3, \qy, ror #31
	/* w, in those of x of t's left branch and of y of q */
	eor	\py, \py, \y3
	line	\x3, \qy, c2, 24
	add	\x3, \x3, \qy, ror #17
	eor	\py, \py, c0, ror #16
	line	\x3, \qy, c2, 17
	add	\x3, \qy
	line	\x3, \qy, c2, 31
	add	\x3, \x3, \qy, ror #24
	eor	\px, \px, c1, ror #16
	line	\x3, \qy, c2, 16
	eors	\x3, \x1
	eor	\qy, \qy, \y1
	eor	\x3, \x3, c1, ror #16
	eor	\qy, \qy, c0, ror #16
	.endm

	.macro	two_steps i
	step	\i, ax0, ay0, ax1, ay1, ax2, ay2, ax3, ay3, apx, apy, aqy
	step	\i + 1, ax2, ay2, apx, apy, ax0, ay0, ax3, aqy, ax1, ay1, ay3
	.endm

	/* Begins a function: saves the registers and the arguments, and copies the constants. r0 to r3
	 * keep the arguments. */
	.macro	begin name
function \name
	push	{r0-r11, lr}
	sub	sp, #FRAME
	ldr	r12, .Lconstants_\name
	add	lr, sp, #CONSTANTS
	ldm	r12!, {r4-r7}
	stm	lr!, {r4-r7}
#ifdef SPARKLE_SMALL
	add	r8, sp, #CONSTANTS + 32
	stm	r8, {r4-r7}
#endif
	ldm	r12, {r4-r7}
	stm	lr, {r4-r7}
	.endm

	/* Ends the function: restores the registers, except the arguments'. */
	.macro	end name
	add	sp, #FRAME + 16
	pop	{r4-r11, pc}
	.balign	4
.Lconstants_\name:
	.word	sparkle512_constants
#ifndef SPARKLE_SMALL
.Lfour_more_\name:
	.word	sparkle512_four_more
#endif
end_function \name
	.endm

	/* Execution is to continue at \label after SPARKLE_SLIM or SPARKLE_BIG steps. Changes c0, c1. */
	.macro	after_slim label
	adr.w	c0, \label + 1
#ifdef SPARKLE_SMALL
	movs	c1, #SPARKLE_SLIM
	strd	c0, c1, [sp, #AFTER]
#else
	str	c0, [sp, #AFTER_SLIM]
#endif
	.endm

	.macro	after_big label, name
#ifdef SPARKLE_SMALL
	adr.w	c0, \label + 1
	movs	c1, #SPARKLE_BIG
	strd	c0, c1, [sp, #AFTER]
#else
	ldr	c0, .Lfour_more_\name
	adr.w	c1, \label + 1
	strd	c0, c1, [sp, #AFTER_SLIM]
#endif
	.endm

	/* The steps; they continue at the label, which follows. */
	.macro	steps label
	b	sparkle512_steps
	.balign	4
\label:
	.endm

	/* Loads the state at c0. */
	.macro	load_state
	load_words c0, 32, apx, apy, ax0, ax1, ax2, aqy, ax3, ay3
	store_words sp, RIGHT + 8, ax0, ax1, ax2
	store_words sp, RIGHT + 24, ax3, ay3
	load_words c0, 0, LEFT
	.endm

	/* Stores the state at c0. */
	.macro	store_state
	store_words c0, 0, LEFT
	store_words c0, 32, apx, apy
	load_words sp, RIGHT + 8, ax0, ax1, ax2
	load_words sp, RIGHT + 24, ax3, ay3
	store_words c0, 40, ax0, ax1, ax2, aqy, ax3, ay3
	.endm

/* void sparkle_permute(sparkle_state *state, unsigned steps) */
begin sparkle_permute
#ifdef SPARKLE_SMALL
	adr.w	c0, .Lpermuted + 1
	strd	c0, r1, [sp, #AFTER]
#else
	adr.w	c1, .Lpermuted + 1
	mov	c0, c1
	cmp	r1, #SPARKLE_SLIM
	it	ne
	ldrne	c0, .Lfour_more_sparkle_permute
	strd	c0, c1, [sp, #AFTER_SLIM]
#endif
	mov	c0, r0
	load_state
	steps	.Lpermuted
	ldr	c0, [sp, #STATE]
	store_state
end sparkle_permute

#if defined(SCHWAEMM_RATE) && SCHWAEMM_RATE == 32

/* void schwaemm_initialize(sparkle_state *, uint32_t *k, const uint8_t *key, const uint8_t *nonce)
 *                           */
begin schwaemm_initialize
	after_big .Linitialized, schwaemm_initialize
	load_words r2, 0, apx, apy, c0, c1, c2, aqy, ay0, ay1
	store_words r1, 0, apx, apy, c0, c1, c2, aqy, ay0, ay1
	store_words sp, RIGHT + 8, c0, c1, c2
	store_words sp, RIGHT + 24, ay0, ay1
	mov	c0, r3
	load_words c0, 0, LEFT
	steps	.Linitialized
	ldr	c0, [sp, #STATE]
	store_state
end schwaemm_initialize

/* void schwaemm_finalize(sparkle_state *s, const uint32_t *k) */
begin schwaemm_finalize
	after_big .Lfinalized, schwaemm_finalize
	mov	c0, r0
	load_state
	steps	.Lfinalized
	ldr	c0, [sp, #STATE]
	ldr	c1, [sp, #ARGUMENT(1)]
	load_words sp, RIGHT + 8, ax0, ax1, ax2
	load_words sp, RIGHT + 24, ax3, ay3
	load_words c1, 0, ay0, ay1, ay2, c2
	eor	apx, apx, ay0
	eor	apy, apy, ay1
	eor	ax0, ax0, ay2
	eors	ax1, c2
	load_words c1, 16, ay0, ay1, ay2, c2
	eor	ax2, ax2, ay0
	eor	aqy, aqy, ay1
	eor	ax3, ax3, ay2
	eor	ay3, ay3, c2
	store_words c0, 32, apx, apy, ax0, ax1, ax2, aqy, ax3, ay3
end schwaemm_finalize

/* Words i and i + 4 of a block and of S_L, in \s1 and \s2. S_R is on the stack, the input is at c0,
 * the output at c1; the other registers are scratch. */
#define in1 c2
#define in2 apx
#define right1 apy
#define right2 aqy

	.macro	load_pair i
	ldr	in1, [c0, #4 * \i]
	ldr	in2, [c0, #4 * \i + 16]
	ldr	right1, [sp, #RIGHT + 4 * \i]
	ldr	right2, [sp, #RIGHT + 4 * \i + 16]
	.endm

	.macro	absorb_pair i, s1, s2
	load_pair \i
	eor	right1, right1, in1
	eor	right2, right2, in2
	eor	right2, right2, \s1
	eor	\s1, right1, \s2
	eor	\s2, \s2, right2
	.endm

	.macro	encrypt_pair i, s1, s2
	load_pair \i
	eor	right1, right1, in1
	eor	in1, in1, \s1
	eor	in2, in2, \s2
	str	in1, [c1, #4 * \i]
	str	in2, [c1, #4 * \i + 16]
	eor	right2, right2, \s1
	eor	\s1, right1, \s2
	eor	\s2, right2, in2
	.endm

	.macro	decrypt_pair i, s1, s2
	load_pair \i
	eor	in1, in1, \s1
	eor	right1, right1, in1
	eor	right2, right2, \s1
	eor	\s1, right1, \s2
	eor	\s2, \s2, in2
	str	in1, [c1, #4 * \i]
	str	\s2, [c1, #4 * \i + 16]
	eor	\s2, right2, in2
	.endm

/* A function over whole blocks: before each, SPARKLE_SLIM steps. */
	.macro	blocks how
begin schwaemm_\how\()_blocks
	after_slim .Lpermuted_\how
	mov	c0, r0
	load_state
.Lblock_\how:
	steps	.Lpermuted_\how
	ldr	c0, [sp, #ARGUMENT(2)]
	ldr	c1, [sp, #ARGUMENT(1)]
	store_words sp, RIGHT, apx, apy
	str	aqy, [sp, #RIGHT + 20]
	\how\()_pair 0, ax0, ax2
	\how\()_pair 1, ay0, ay2
	\how\()_pair 2, ax1, ax3
	\how\()_pair 3, ay1, ay3
	ldr	c2, [sp, #ARGUMENT(3)]
	load_words sp, RIGHT, apx, apy
	ldr	aqy, [sp, #RIGHT + 20]
	adds	c0, #32
	adds	c1, #32
	str	c0, [sp, #ARGUMENT(2)]
	str	c1, [sp, #ARGUMENT(1)]
	subs	c2, #1
	str	c2, [sp, #ARGUMENT(3)]
	bne	.Lblock_\how
	ldr	c0, [sp, #STATE]
	store_state
end schwaemm_\how\()_blocks
	.endm

/* void schwaemm_absorb_blocks(sparkle_state *, uint8_t *none, const uint8_t *input, size_t) */
	blocks absorb
/* void schwaemm_encrypt_blocks(sparkle_state *, uint8_t *output, const uint8_t *input, size_t) */
	blocks encrypt
/* void schwaemm_decrypt_blocks(sparkle_state *, uint8_t *output, const uint8_t *input, size_t) */
	blocks decrypt

#endif

#if defined(ESCH_RATE) && ESCH_RATE == 16

/* Adds M_h of the block at ARGUMENT(1), which advances, to the left half. */
	.macro	inject
	ldr	c2, [sp, #ARGUMENT(1)]
	ldr	c0, [c2]
	ldr	c1, [c2, #8]
	eors	ax0, c0
	eors	ax1, c1
	eors	c0, c1
	eor	c0, c0, c0, lsl #16
	eor	ay0, ay0, c0, ror #16
	eor	ay1, ay1, c0, ror #16
	eor	ay2, ay2, c0, ror #16
	eor	ay3, ay3, c0, ror #16
	ldr	c0, [c2, #4]
	ldr	c1, [c2, #12]
	adds	c2, #16
	str	c2, [sp, #ARGUMENT(1)]
	eor	ay0, ay0, c0
	eor	ay1, ay1, c1
	eors	c0, c1
	eor	c0, c0, c0, lsl #16
	eor	ax0, ax0, c0, ror #16
	eor	ax1, ax1, c0, ror #16
	eor	ax2, ax2, c0, ror #16
	eor	ax3, ax3, c0, ror #16
	.endm

/* void esch_absorb_blocks(sparkle_state *s, const uint8_t *input, size_t blocks) */
begin esch_absorb_blocks
	after_slim .Labsorbed
	mov	c0, r0
	load_state
.Labsorb:
	inject
	steps	.Labsorbed
	ldr	c0, [sp, #ARGUMENT(2)]
	subs	c0, #1
	str	c0, [sp, #ARGUMENT(2)]
	bne	.Labsorb
	ldr	c0, [sp, #STATE]
	store_state
end esch_absorb_blocks

/* void esch_finalize(sparkle_state *s, const uint8_t *block, uint8_t *digest) */
#define DIGEST_BLOCKS 3
begin esch_finalize
	after_big .Lsqueeze, esch_finalize
	movs	c1, #DIGEST_BLOCKS
	str	c1, [sp, #ARGUMENT(3)]
	mov	c0, r0
	load_state
	inject
	steps	.Lsqueeze
	after_slim .Lsqueeze
	ldr	c0, [sp, #ARGUMENT(2)]
	ldr	c1, [sp, #ARGUMENT(3)]
	store_words c0, 0, ax0, ay0, ax1, ay1
	adds	c0, #16
	str	c0, [sp, #ARGUMENT(2)]
	subs	c1, #1
	str	c1, [sp, #ARGUMENT(3)]
	bne	sparkle512_steps
end esch_finalize

#endif

/* The steps. The branches are in the same places afterwards. */
	section_for sparkle512_steps
	hidden_entry sparkle512_steps
#ifdef SPARKLE_SMALL
	movs	c0, #0
	add	c1, sp, #CONSTANTS
.Lpass:
	strd	c0, c1, [sp, #NUMBER]
	two_steps 0
	two_steps 2
	ldr	c0, [sp, #NUMBER]
	ldr	c1, [sp, #PASS]
	ldr	c2, [sp, #STEPS]
	adds	c0, #4
	adds	c1, #16
	cmp	c0, c2
	bne	.Lpass
	ldr	pc, [sp, #AFTER]
#else
	two_steps 0
	two_steps 2
	two_steps 4
	two_steps 6
	ldr	pc, [sp, #AFTER_SLIM]
	.balign	4
	hidden_entry sparkle512_four_more
	two_steps 8
	two_steps 10
	ldr	pc, [sp, #AFTER_BIG]
#endif
	.size	sparkle512_steps, . - sparkle512_steps

	.section .rodata.sparkle512_constants, "a", %progbits
	.balign	4
sparkle512_constants:
	.word	SPARKLE_C0, SPARKLE_C1, SPARKLE_C2, SPARKLE_C3
	.word	SPARKLE_C4, SPARKLE_C5, SPARKLE_C6, SPARKLE_C7

#endif
