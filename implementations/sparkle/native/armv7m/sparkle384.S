/*
 * Sparkle384, Schwaemm256-128's loops over whole blocks, and Esch256's, for Armv7-M.
 *
 * References: C. Beierle et al., "Schwaemm and Esch" (v1.2, 2021), sections 2.1 and 2.3; same
 * names.
 *
 * Scheduling. The six branches take twelve registers, which leaves two. A rotation is part of the
 * addition or exclusive or that reads its result, so an ARX-box takes 12 instructions and two that
 * set its constant. The constant of a step is also that of a branch, whose ARX-box is then computed
 * first. The linear layer changes the right branches in place and writes each sum to the register
 * of the next branch, which rotates them. The halves are exchanged by renaming registers, so there
 * are two forms of a step, which alternate. The state stays in registers between blocks.
 *
 * On the Cortex-M33, a sum with a rotated word is ready a cycle late. So the ARX-box of a branch
 * begins while that of the branch before it ends; its first two instructions need no constant.
 *
 * All steps are unrolled, for cores without a code cache. With SPARKLE_SMALL, two subroutines
 * contain the ARX-boxes of a step: each step takes 4 cycles more, but all of it fits into a cache
 * of 2 KB.
 *
 * Registers: R0 to R2 the words x of the left branches in even steps, R7 to R9 their words y; R3 to
 * R5 x of the right branches, R10 to R12 y; R6 constants and sums, LR temporary. The stack holds
 * the arguments. After the steps, execution continues at an address on the stack.
 *
 * Cycles of a call of sparkle_permute from C, and of a block of 32 bytes in the loops:
 *
 *                                       11 steps  7 steps  a block  flash (all)
 *   Cortex-M3, Cortex-M4, 0 wait states     1217      794      805         4.3 KB
 *   SAM3X8E                                 1342      880      903
 *   RP2350 (Cortex-M33)                     1233      803      813
 *   nRF52840, SPARKLE_SMALL                 1279      834      845         1.9 KB
 *
 * A block of 16 bytes in Esch256's loop takes 781 cycles on the first two, 871 on the SAM3X8E, 792
 * on the RP2350 and 821 on the nRF52840.
 */
#include "arm.h"

#if PW_ARMV7M

#define UINT32_C(x) x
#include "api.h"
#include "constants.h"
#include "variant.h"

#endif

#if PW_ARMV7M && SPARKLE_BRANCHES == 6

/* The words x and y of the branches, in two halves: a is the left one in steps 0, 2, 4, ..., b in
 * the others. */
#define ax0 r0
#define ax1 r1
#define ax2 r2
#define ay0 r7
#define ay1 r8
#define ay2 r9
#define bx0 r3
#define bx1 r4
#define bx2 r5
#define by0 r10
#define by1 r11
#define by2 r12
/* Scratch: constants and sums; `link` is LR. */
#define c r6
#define link lr

/* Both halves, the left one first, of even steps and of odd ones. */
#define A_B ax0, ay0, ax1, ay1, ax2, ay2, bx0, by0, bx1, by1, bx2, by2
#define B_A bx0, by0, bx1, by1, bx2, by2, ax0, ay0, ax1, ay1, ax2, ay2

/* The stack of all functions. */
#define AFTER_SLIM 0 /* where execution continues after SPARKLE_SLIM steps */
#define AFTER_BIG 4  /* and after SPARKLE_BIG */
#define STATE 8
/* Of the functions for blocks. */
#define OUTPUT 12
#define INPUT 16
#define BLOCKS 20

	.equ	.Lconstant_0, SPARKLE_C0
	.equ	.Lconstant_1, SPARKLE_C1
	.equ	.Lconstant_2, SPARKLE_C2
	.equ	.Lconstant_3, SPARKLE_C3
	.equ	.Lconstant_4, SPARKLE_C4
	.equ	.Lconstant_5, SPARKLE_C5
	.equ	.Lconstant_6, SPARKLE_C6
	.equ	.Lconstant_7, SPARKLE_C7

/* c = C_\i, the constant of branch \i and of step \i. */
	.macro	constant i
	movw	c, #.Lconstant_\i & 0xffff
	movt	c, #.Lconstant_\i >> 16
	.endm

/* A_c, with c in its register, in five parts; those of two branches alternate. */
	.macro	sum_1 x, y
	add	\x, \x, \y, ror #31
	.endm

	.macro	sum_2 x, y
	eor	\y, \y, \x, ror #24
	.endm

	.macro	to_round_2 x, y
	eors	\x, c
	add	\x, \x, \y, ror #17
	.endm

	.macro	to_round_4 x, y
	eor	\y, \y, \x, ror #17
	eors	\x, c
	add	\x, \y
	eor	\y, \y, \x, ror #31
	eors	\x, c
	add	\x, \x, \y, ror #24
	.endm

	.macro	to_end x, y
	eor	\y, \y, \x, ror #16
	eors	\x, c
	.endm

/* A part of the ARX-box of branch \i, if there is one. */
	.macro	of_branch i, part, x0, y0, x1, y1, x2, y2, x3, y3, x4, y4, x5, y5
	.if	\i == 0
	\part	\x0, \y0
	.elseif	\i == 1
	\part	\x1, \y1
	.elseif	\i == 2
	\part	\x2, \y2
	.elseif	\i == 3
	\part	\x3, \y3
	.elseif	\i == 4
	\part	\x4, \y4
	.elseif	\i == 5
	\part	\x5, \y5
	.endif
	.endm

/* The ARX-box of branch \i from its third instruction on, with its constant in c, and the first two
 * of branch \next. */
	.macro	box i, next, half:vararg
	of_branch \i, to_round_2, \half
	of_branch \next, sum_1, \half
	of_branch \i, to_round_4, \half
	of_branch \next, sum_2, \half
	of_branch \i, to_end, \half
	.endm

/* The same for all branches, that of branch \first first. Its constant is in c. */
	.macro	boxes_from first, half:vararg
	.set	.Lbranch, \first
	.irp	i, 0, 1, 2, 3, 4, 5
	.if	\i != \first
	box	.Lbranch, \i, \half
	constant \i
	.set	.Lbranch, \i
	.endif
	.endr
	box	.Lbranch, 6, \half
	.endm

/* The linear layer for the words x, or the words y: l and r are those of the left and right
 * branches, m the other words of the left branches. The results, new left branches, replace r. */
	.macro	mix l0, l1, l2, r0, r1, r2, m0, m1, m2
	eor	link, \m0, \m1
	eor	link, link, \m2
	eor	link, link, link, lsl #16
	eor	c, \r0, \l0
	eor	\r0, \r1, \l1
	eor	\r0, \r0, link, ror #16
	eor	\r1, \r2, \l2
	eor	\r1, \r1, link, ror #16
	eor	\r2, c, link, ror #16
	.endm

	.macro	linear_layer x0, y0, x1, y1, x2, y2, x3, y3, x4, y4, x5, y5
	mix	\y0, \y1, \y2, \y3, \y4, \y5, \x0, \x1, \x2
	mix	\x0, \x1, \x2, \x3, \x4, \x5, \y0, \y1, \y2
	.endm

	.macro	add_constant_to_y0 x0, y0, more:vararg
	eor	\y0, \y0, c
	.endm

	.macro	add_number_to_y1 number, x0, y0, x1, y1, more:vararg
	.if	\number
	eor	\y1, \y1, #\number
	.endif
	.endm

/* Adds the constants of a step, and begins the ARX-box of branch \first. */
	.macro	begin number, first, halves:vararg
	add_constant_to_y0 \halves
	.if	\first == 1
	add_number_to_y1 \number, \halves
	.endif
	of_branch \first, sum_1, \halves
	.if	\first != 1
	add_number_to_y1 \number, \halves
	.endif
	of_branch \first, sum_2, \halves
	.endm

/* Step \number, whose constant is C_\i. If branch \i has the same constant, its ARX-box comes
 * first. */
	.macro	step number, i, label, halves:vararg
	constant \i
#ifdef SPARKLE_SMALL
	add_constant_to_y0 \halves
	add_number_to_y1 \number, \halves
	bl	\label
#else
	.if	\i < 6
	begin	\number, \i, \halves
	boxes_from \i, \halves
	.else
	begin	\number, 0, \halves
	constant 0
	boxes_from 0, \halves
	.endif
#endif
	linear_layer \halves
	.endm
#define STEP_A(number, i) step number, i, .Lboxes_a, A_B
#define STEP_B(number, i) step number, i, .Lboxes_b, B_A

/* Loads or stores the state. \at may be the register of x0, which is loaded last. */
	.macro	transfer instruction, at, x0, words:vararg
	each_word \instruction, \at, 4, \words
	\instruction	\x0, [\at]
	.endm

/* void sparkle_permute(sparkle_state *state, unsigned steps) */
function sparkle_permute
	push	{r0, r4-r11, lr}
	adr	r3, .Lpermuted + 1
	mov	r2, r3
	cmp	r1, #SPARKLE_SLIM
	it	ne
	ldrne	r2, .Lfour_more_address
	push	{r2, r3}
	transfer ldr, r0, A_B
	b	sparkle384_steps
	.balign	4
.Lfour_more_address:
	.word	sparkle384_four_more
.Lpermuted:
	ldr	c, [sp, #STATE]
	add	sp, #12
	transfer str, c, B_A
	pop	{r4-r11, pc}
end_function sparkle_permute

#if defined(SCHWAEMM_RATE) && SCHWAEMM_RATE == 32

/* Begins a function with SPARKLE_BIG steps: pushes r0, r1 and two addresses. */
	.macro	big_begin name
function \name
	push	{r0, r1, r4-r11, lr}
	ldr	r4, .Lfour_more_\name
	adr	r5, .Lpermuted_\name + 1
	push	{r4, r5}
	.endm

	.macro	big_end name
	b	sparkle384_steps
	.balign	4
.Lfour_more_\name:
	.word	sparkle384_four_more
.Lpermuted_\name:
	.endm

/* void schwaemm_initialize(sparkle_state *s, uint32_t *k, const uint8_t *key, const uint8_t *nonce)
 *                           */
big_begin schwaemm_initialize
	mov	link, r3
	load_words r2, 0, bx1, by1, bx2, by2
	store_words r1, 0, bx1, by1, bx2, by2
	load_words link, 0, ax0, ay0, ax1, ay1, ax2, ay2, bx0, by0
big_end schwaemm_initialize
	ldr	c, [sp, #STATE]
	add	sp, #16
	transfer str, c, B_A
	pop	{r4-r11, pc}
end_function schwaemm_initialize

/* void schwaemm_finalize(sparkle_state *s, const uint32_t *k) */
big_begin schwaemm_finalize
	transfer ldr, r0, A_B
big_end schwaemm_finalize
	ldr	link, [sp, #STATE + 4]
	load_words link, 0, bx1, by1, bx2, by2
	ldr	c, [sp, #STATE]
	add	sp, #16
	eors	ax1, bx1
	eor	ay1, ay1, by1
	eors	ax2, bx2
	eor	ay2, ay2, by2
	store_words c, 32, ax1, ay1, ax2, ay2
	pop	{r4-r11, pc}
end_function schwaemm_finalize

/* In the loops over blocks, the stack has S_R after the addresses; the other offsets are larger by
 * LATER bytes. */
#define RIGHT 8
#define LATER 16

/* Words i and i + 4 of a block, and of S_L in \s1 and \s2; they become \new1 and \new2. \in1, \in2
 * and \right are scratch. The input is at c, the output at link. */
	.macro	load_pair i, in1, in2, right
	ldr	\in1, [c, #4 * \i]
	ldr	\in2, [c, #4 * \i + 16]
	ldr	\right, [sp, #RIGHT + 4 * \i]
	.endm

	.macro	absorb_pair i, s1, s2, new1, new2, in1, in2, right
	load_pair \i, \in1, \in2, \right
	eor	\s2, \s2, \right
	eor	\s1, \s1, \in2
	eor	\new2, \s1, \s2
	eor	\new1, \s2, \in1
	.endm

	.macro	encrypt_pair i, s1, s2, new1, new2, in1, in2, right
	load_pair \i, \in1, \in2, \right
	eor	\new2, \in1, \s1
	str	\new2, [link, #4 * \i]
	eor	\new2, \in2, \s2
	str	\new2, [link, #4 * \i + 16]
	eor	\s1, \s1, \right
	eor	\new2, \new2, \s1
	eor	\s2, \s2, \right
	eor	\new1, \s2, \in1
	.endm

	.macro	decrypt_pair i, s1, s2, new1, new2, in1, in2, right
	load_pair \i, \in1, \in2, \right
	eor	\in1, \in1, \s1
	str	\in1, [link, #4 * \i]
	eor	\new2, \in2, \s2
	str	\new2, [link, #4 * \i + 16]
	eor	\s1, \s1, \right
	eor	\new2, \in2, \s1
	eor	\s2, \s2, \right
	eor	\new1, \s2, \in1
	.endm

/* A function over whole blocks: before each, SPARKLE_SLIM steps. */
	.macro	blocks how
function schwaemm_\how\()_blocks
	push	{r0-r11, lr}
	adr	r3, .Lpermuted_\how + 1
	sub	sp, #24
	str	r3, [sp, #AFTER_SLIM]
	transfer ldr, r0, A_B
	b	sparkle384_steps
	.balign	4
.Lpermuted_\how:
	ldr	c, [sp, #INPUT + LATER]
	ldr	link, [sp, #OUTPUT + LATER]
	store_words sp, RIGHT, ax1, ay1, ax2, ay2
	\how\()_pair 0, bx0, bx2, bx2, ax2, ax1, ay1, ay2
	\how\()_pair 1, by0, by2, by2, ay2, ax1, ay1, bx0
	\how\()_pair 2, bx1, ax0, ax1, bx0, ay1, ax1, by0
	mov	ax0, bx2
	\how\()_pair 3, by1, ay0, ay1, by0, bx1, bx2, ay1
	mov	ay0, by2
	adds	c, #32
	add	link, link, #32
	str	c, [sp, #INPUT + LATER]
	str	link, [sp, #OUTPUT + LATER]
	ldr	c, [sp, #BLOCKS + LATER]
	load_words sp, RIGHT, bx1, by1, bx2, by2
	subs	c, #1
	str	c, [sp, #BLOCKS + LATER]
	bne	sparkle384_steps
	ldr	c, [sp, #STATE + LATER]
	add	sp, #40
	transfer str, c, A_B
	pop	{r4-r11, pc}
end_function schwaemm_\how\()_blocks
	.endm

/* void schwaemm_absorb_blocks(sparkle_state *s, uint8_t *none, const uint8_t *input, size_t blocks)
 *                              */
	blocks absorb
/* void schwaemm_encrypt_blocks(sparkle_state *s, uint8_t *output, const uint8_t *input, size_t
 *                              blocks) */
	blocks encrypt
/* void schwaemm_decrypt_blocks(sparkle_state *s, uint8_t *output, const uint8_t *input, size_t
 *                              blocks) */
	blocks decrypt

#endif

#if defined(ESCH_RATE) && ESCH_RATE == 16

/* The stack of Esch's functions. */
#define SWAP 8 /* six words */
#define ESCH_STATE 32
#define MESSAGE 36
#define MESSAGE_BLOCKS 40 /* or the digest */
#define ESCH_FRAME 32     /* to ESCH_STATE */

/* The registers of both halves, x before y, as lists of STM and LDM. */
#define A_LIST {r0-r2, r7-r9}
#define B_LIST {r3-r5, r10-r12}

/* Begins a function with the arguments s, input, and blocks or digest. The left half is in b. */
	.macro	esch_begin
	push	{r0-r2, r4-r11, lr}
	sub	sp, #ESCH_FRAME
	mov	c, r0
	transfer ldr, c, B_A
	.endm

/* Adds M_h of a block to the left half, which moves from b to a; the right half moves from a
 * to b. */
	.macro	inject
	add	link, sp, #SWAP
	stm	link, A_LIST
	ldr	c, [sp, #MESSAGE]
	ldr	ax0, [c]
	ldr	ax1, [c, #8]
	ldr	ay0, [c, #4]
	ldr	ay1, [c, #12]
	adds	c, #16
	str	c, [sp, #MESSAGE]
	/* l(p_0 ^ p_2) and l(p_1 ^ p_3) before their rotations */
	eor	ax2, ax0, ax1
	eor	ay2, ay0, ay1
	eor	ax2, ax2, ax2, lsl #16
	eor	ay2, ay2, ay2, lsl #16
	eors	ax0, bx0
	eors	ax1, bx1
	eor	ay0, ay0, by0
	eor	ay1, ay1, by1
	eor	ax0, ax0, ay2, ror #16
	eor	ax1, ax1, ay2, ror #16
	eor	c, bx2, ay2, ror #16
	eor	ay0, ay0, ax2, ror #16
	eor	ay1, ay1, ax2, ror #16
	eor	ay2, by2, ax2, ror #16
	mov	ax2, c
	ldm	link, B_LIST
	.endm

/* void esch_absorb_blocks(sparkle_state *s, const uint8_t *input, size_t blocks) */
function esch_absorb_blocks
	esch_begin
	adr	link, .Labsorbed + 1
	str	link, [sp, #AFTER_SLIM]
.Labsorb:
	inject
	b	sparkle384_steps
	.balign	4
.Labsorbed:
	ldr	c, [sp, #MESSAGE_BLOCKS]
	subs	c, #1
	str	c, [sp, #MESSAGE_BLOCKS]
	bne	.Labsorb
	ldr	c, [sp, #ESCH_STATE]
	add	sp, #ESCH_FRAME + 12
	transfer str, c, B_A
	pop	{r4-r11, pc}
end_function esch_absorb_blocks

/* void esch_finalize(sparkle_state *s, const uint8_t *block, uint8_t *digest) */
function esch_finalize
	esch_begin
	ldr	c, .Lfour_more_esch
	adr	link, .Lfirst_half + 1
	strd	c, link, [sp, #AFTER_SLIM]
	inject
	b	sparkle384_steps
	.balign	4
.Lfour_more_esch:
	.word	sparkle384_four_more
.Lfirst_half:
	ldr	c, [sp, #MESSAGE_BLOCKS]
	store_words c, 0, bx0, by0, bx1, by1
	adr	c, .Lsecond_half + 1
	str	c, [sp, #AFTER_SLIM]
	/* The halves change places. */
	add	link, sp, #SWAP
	stm	link, A_LIST
	mov	ax0, bx0
	mov	ax1, bx1
	mov	ax2, bx2
	mov	ay0, by0
	mov	ay1, by1
	mov	ay2, by2
	ldm	link, B_LIST
	b	sparkle384_steps
	.balign	4
.Lsecond_half:
	ldr	c, [sp, #MESSAGE_BLOCKS]
	store_words c, 16, bx0, by0, bx1, by1
	add	sp, #ESCH_FRAME + 12
	pop	{r4-r11, pc}
end_function esch_finalize

#endif

/* The steps. The state is in registers: its left half comes in a and leaves in b. */
	section_for sparkle384_steps
#ifdef SPARKLE_SMALL
.Lboxes_a:
	of_branch 0, sum_1, A_B
	constant 0
	of_branch 0, sum_2, A_B
	boxes_from 0, A_B
	bx	lr
	.balign	4
.Lboxes_b:
	of_branch 0, sum_1, B_A
	constant 0
	of_branch 0, sum_2, B_A
	boxes_from 0, B_A
	bx	lr
	.balign	4
#endif
	hidden_entry sparkle384_steps
	STEP_A(0, 0)
	STEP_B(1, 1)
	STEP_A(2, 2)
	STEP_B(3, 3)
	STEP_A(4, 4)
	STEP_B(5, 5)
	STEP_A(6, 6)
	ldr	pc, [sp, #AFTER_SLIM]
	.balign	4
	hidden_entry sparkle384_four_more
	STEP_B(7, 7)
	STEP_A(8, 0)
	STEP_B(9, 1)
	STEP_A(10, 2)
	ldr	pc, [sp, #AFTER_BIG]
	.size	sparkle384_steps, . - sparkle384_steps

#endif
