/*
 * Xoodoo[12], and Xoodyak's loops over whole blocks, for Armv7-M.
 *
 * References: J. Daemen et al., "Xoodyak, a lightweight cryptographic scheme" (v2, 2021), the
 * permutation Xoodoo and the mode Cyclist; same names.
 *
 * Scheduling. The twelve lanes take twelve registers, which leaves two. A round takes 49
 * instructions: 24 for theta, 1 for iota, 24 for chi. No instruction only rotates or moves a lane.
 * Rotating a second operand is free, so a lane is stored rotated, and operands are rotated to
 * match; a shift by whole lanes only renames registers. In the last round, chi adds in the opposite
 * order, which gives each sum the rotation of its other operand: the rotations are again those
 * before the first round. The state stays in registers between blocks. On the Cortex-M33, the
 * result of an instruction with a rotated operand is ready a cycle late, so two columns are
 * processed in turn, in two registers: in theta the parity of one and the sums of another, in chi
 * the terms of both.
 *
 * Twelve rounds are unrolled, for cores without a code cache. With XOODOO_SMALL, rounds 0 to 3 and
 * 4 to 7 share their code; the Z flag, which no other instruction changes, selects their constants.
 *
 * Registers: R0 to R3 plane 0, R4 to R7 plane 1, R8 to R11 plane 2; R12 and LR temporary. The stack
 * holds the arguments. After the rounds, execution continues at the address in [SP].
 *
 * Cycles of a call of xoodoo_permute from C, and of a block of 24 bytes in the loops:
 *
 *                                       permutation  encrypted  decrypted  flash (all)
 *   Cortex-M3, Cortex-M4, 0 wait states         665        635        641       3.2 KB
 *   SAM3X8E                                     835        805        834
 *   RP2350 (Cortex-M33)                         662        635        643
 *   nRF52840, XOODOO_SMALL                      690        660        666       2.5 KB
 */
#include "arm.h"

#if PW_ARMV7M

#include "api.h"

/* The lanes of planes 0, 1 and 2. */
#define a0 r0
#define a1 r1
#define a2 r2
#define a3 r3
#define b0 r4
#define b1 r5
#define b2 r6
#define b3 r7
#define c0 r8
#define c1 r9
#define c2 r10
#define c3 r11
/* Temporary. */
#define p r12
#define x lr

/* The stack of all functions. */
#define AFTER 0 /* where execution continues after the permutation */
#define STATE 4
#define OUTPUT 8
#define INPUT 12
#define BLOCKS 16

/* The lanes of planes 1 and 2 are stored rotated, because rotating a second operand is free: a
 * register y represents the lane ror(y, f). Each round reduces f by 31 for plane 1 and increases it
 * by 13 for plane 2. Between permutations, f is FRAME_1 and FRAME_2. */

#define FRAME_1 31
#ifdef XOODOO_SMALL
#define FRAME_2 20 /* after the last of 4 rounds: FRAME_1 + 31 * 3 + 24 */
#else
#define FRAME_2 12 /* of 12: FRAME_1 + 31 * 11 + 24 */
#endif

/* A round's frames f of planes 1 and 2 are .Lf1 and .Lf2. */

/* The parity of a column: its lanes of planes 0 and 1, then plane 2. */
	.macro	parity to, a, b
	eor	\to, \a, \b, ror #.Lf1 & 31
	.endm

	.macro	parity_2 to, c
	eor	\to, \to, \c, ror #.Lf2 & 31
	.endm

/* What theta adds to the next column, rotated by 27. */
	.macro	effect p
	eor	\p, \p, \p, ror #23
	.endm

	.macro	add_0 a, effect
	eor	\a, \a, \effect, ror #27
	.endm

	.macro	add_1 b, effect
	eor	\b, \b, \effect, ror #(27 - .Lf1) & 31
	.endm

	.macro	add_2 c, effect
	eor	\c, \c, \effect, ror #(27 - .Lf2) & 31
	.endm

/* theta, except for c3. A parity becomes the effect in its register; another column's parity is
 * computed meanwhile. */
	.macro	theta_all b0_, b1_, b2_, b3_, c0_, c1_, c2_, c3_
	parity	p, a3, \b3_
	parity	x, a0, \b0_
	parity_2 p, \c3_
	parity_2 x, \c0_
	effect	p
	effect	x
	add_0	a0, p
	add_1	\b0_, p
	add_2	\c0_, p
	parity	p, a1, \b1_
	add_0	a1, x
	parity_2 p, \c1_
	add_1	\b1_, x
	effect	p
	add_2	\c1_, x
	parity	x, a2, \b2_
	add_0	a2, p
	parity_2 x, \c2_
	add_1	\b2_, p
	effect	x
	add_2	\c2_, p
	add_1	\b3_, x
	add_0	a3, x
	.endm

/* chi for a column, after the rotations of rho west. Each term is 0 where the two other lanes of
 * its column change, so it can be computed before or after they do. */
	.macro	term_0 to, b, c
	bic	\to, \c, \b, ror #(.Lf1 - .Lf2 - 21) & 31
	.endm

	.macro	term_1 to, a, c
	bic	\to, \a, \c, ror #(.Lf2 + 21) & 31
	.endm

	.macro	term_2 to, a, b
	bic	\to, \b, \a, ror #-.Lf1 & 31
	.endm

	.macro	chi_0 a, term
	eor	\a, \a, \term, ror #(.Lf2 + 21) & 31
	.endm

	.macro	chi_1 b, term
	eor	\b, \b, \term, ror #-.Lf1 & 31
	.endm

	.macro	chi_2 c, term
	eor	\c, \c, \term, ror #(.Lf1 - .Lf2 - 21) & 31
	.endm

/* theta for c3, and chi, except in the last round. */
	.macro	chi_all b0_, b1_, b2_, b3_, c0_, c1_, c2_, c3_
	term_0	p, \b3_, \c0_
	add_2	\c3_, x
	term_1	x, a0, \c0_
	chi_0	a0, p
	chi_1	\b3_, x
	term_0	x, \b0_, \c1_
	term_2	p, a0, \b3_
	chi_0	a1, x
	chi_2	\c0_, p
	term_1	p, a1, \c1_
	term_0	x, \b1_, \c2_
	chi_1	\b0_, p
	chi_0	a2, x
	term_2	p, a1, \b0_
	term_1	x, a2, \c2_
	chi_2	\c1_, p
	chi_1	\b1_, x
	term_0	p, \b2_, \c3_
	term_2	x, a2, \b1_
	chi_0	a3, p
	chi_2	\c2_, x
	term_1	x, a3, \c3_
	term_2	p, a3, \b2_
	chi_1	\b2_, x
	chi_2	\c3_, p
	.endm

/* chi for a column in the last round. The lanes of planes 1 and 2 are second operands, whose
 * rotation is free, and the sums have the rotation that lanes have before the first round. */
	.macro	chi_last a, b, c
	term_0	x, \b, \c
	term_1	p, \a, \c
	chi_0	\a, x
	term_2	x, \a, \b
	eor	\b, p, \b, ror #.Lf1 & 31
	eor	\c, x, \c, ror #(.Lf2 + 21 - .Lf1) & 31
	.endm

	.macro	chi_all_last b0_, b1_, b2_, b3_, c0_, c1_, c2_, c3_
	add_2	\c3_, x
	chi_last a0, \b3_, \c0_
	chi_last a1, \b0_, \c1_
	chi_last a2, \b1_, \c2_
	chi_last a3, \b2_, \c3_
	.endm

	.macro	frames r
	.set	.Lf1, FRAME_1 + 31 * \r
	.set	.Lf2, FRAME_2 + 13 * \r
	.endm

/* Round number \r. */
	.macro	round r, last, constant, order:vararg
	frames	\r
	theta_all \order
	eor	a0, a0, #\constant
	chi_all\last \order
	.endm

/* The same with one of two constants. */
	.macro	round_of_two r, last, if_equal, if_not, order:vararg
	frames	\r
	theta_all \order
	ite	eq
	eoreq	a0, a0, #\if_equal
	eorne	a0, a0, #\if_not
	chi_all\last \order
	.endm

#define ORDER_0 b0, b1, b2, b3, c0, c1, c2, c3
#define ORDER_1 b3, b0, b1, b2, c2, c3, c0, c1
#define ORDER_2 b2, b3, b0, b1, c0, c1, c2, c3
#define ORDER_3 b1, b2, b3, b0, c2, c3, c0, c1

	.macro	load_state
	ldm	r0, {r0-r11}
	.irp	lane, b0, b1, b2, b3
	ror	\lane, \lane, #(-FRAME_1) & 31
	.endr
	.irp	lane, c0, c1, c2, c3
	ror	\lane, \lane, #(-FRAME_2) & 31
	.endr
	.endm

	.macro	store_state_and_return frame
	ldr	p, [sp, #STATE]
	.irp	lane, b0, b1, b2, b3
	ror	\lane, \lane, #FRAME_1
	.endr
	.irp	lane, c0, c1, c2, c3
	ror	\lane, \lane, #FRAME_2
	.endr
	stm	p, {r0-r11}
	add	sp, #\frame
	pop	{r4-r11, pc}
	.endm

/* void xoodoo_permute(xoodoo_state *state) */
function xoodoo_permute
	push	{r0, r4-r11, lr}
	adr	r1, .Lpermuted + 1
	push	{r1}
	load_state
	b	xoodoo_rounds
	.balign	4
.Lpermuted:
	store_state_and_return 8
end_function xoodoo_permute

/* Adds 1 to the first byte of lane \x. */
	.macro	pad lane, frame
	eor	\lane, \lane, #1 << (\frame)
	.endm

/* Applies \how to consecutive lanes; \i is the number of the first one. */
	.macro	each_lane how, i, frame, lanes:vararg
	.set	.Li, \i
	.irp	lane, \lanes
	\how	\lane, .Li, \frame
	.set	.Li, .Li + 1
	.endr
	.endm

/* Adds word \i of the input at p to a lane. */
	.macro	add_word lane, i, frame
	ldr	x, [p, #4 * \i]
	eor	\lane, \lane, x, ror #(-\frame) & 31
	.endm

	.macro	blocks_begin name
function \name
	push	{r0-r11, lr}
	adr	r4, .Lpermuted_\name + 1
	push	{r4}
	load_state
	b	xoodoo_rounds
	.balign	4
.Lpermuted_\name:
	ldr	p, [sp, #INPUT]
	.endm

	.macro	blocks_end name, rate
	ldr	p, [sp, #BLOCKS]
	ldr	x, [sp, #INPUT]
	subs	p, p, #1
	str	p, [sp, #BLOCKS]
	add	x, x, #\rate
	str	x, [sp, #INPUT]
	bne	xoodoo_rounds
	store_state_and_return 20
end_function \name
	.endm

/* void xoodyak_absorb_44(xoodoo_state *state, uint8_t *none, const uint8_t *input, size_t blocks)
 *                         */
blocks_begin xoodyak_absorb_44
	each_lane add_word, 0, 0, a0, a1, a2, a3
	each_lane add_word, 4, FRAME_1, b0, b1, b2, b3
	each_lane add_word, 8, FRAME_2, c0, c1, c2
	pad	c3, FRAME_2
blocks_end xoodyak_absorb_44, 44

/* void xoodyak_absorb_16(xoodoo_state *state, uint8_t *none, const uint8_t *input, size_t blocks)
 *                         */
blocks_begin xoodyak_absorb_16
	each_lane add_word, 0, 0, a0, a1, a2, a3
	pad	b0, FRAME_1
blocks_end xoodyak_absorb_16, 16

/* void xoodyak_encrypt_24(xoodoo_state *state, uint8_t *output, const uint8_t *input, size_t
 *                         blocks) */
blocks_begin xoodyak_encrypt_24
	each_lane add_word, 0, 0, a0, a1, a2, a3
	each_lane add_word, 4, FRAME_1, b0, b1
	ldr	p, [sp, #OUTPUT]
	pad	b2, FRAME_1
	store_words p, 0, a0, a1, a2, a3
	ror	x, b0, #FRAME_1
	str	x, [p, #16]
	ror	x, b1, #FRAME_1
	str	x, [p, #20]
	add	p, p, #24
	str	p, [sp, #OUTPUT]
blocks_end xoodyak_encrypt_24, 24

/* The output is the sum of a lane and a word of input, at p, which becomes the lane. */
	.macro	decrypt_word lane, i, frame
	ldr	x, [p, #4 * \i]
	eor	\lane, x, \lane, ror #\frame
	str	\lane, [c3, #4 * \i]
	.if	\frame
	ror	\lane, x, #(-\frame) & 31
	.else
	mov	\lane, x
	.endif
	.endm

/* void xoodyak_decrypt_24(xoodoo_state *state, uint8_t *output, const uint8_t *input, size_t
 *                         blocks) */
blocks_begin xoodyak_decrypt_24
	ldr	x, [sp, #OUTPUT]
	str	c3, [sp, #AFTER]
	mov	c3, x
	each_lane decrypt_word, 0, 0, a0, a1, a2, a3
	each_lane decrypt_word, 4, FRAME_1, b0, b1
	add	x, c3, #24
	str	x, [sp, #OUTPUT]
	adr	x, .Lpermuted_xoodyak_decrypt_24 + 1
	ldr	c3, [sp, #AFTER]
	str	x, [sp, #AFTER]
	pad	b2, FRAME_1
blocks_end xoodyak_decrypt_24, 24

	section_for xoodoo_rounds
	hidden_entry xoodoo_rounds
#ifdef XOODOO_SMALL
	cmp	sp, sp
1:	round_of_two 0, , 0x058, 0x120, ORDER_0
	round_of_two 1, , 0x038, 0x014, ORDER_1
	round_of_two 2, , 0x3c0, 0x060, ORDER_2
	round_of_two 3, _last, 0x0d0, 0x02c, ORDER_3
	bne	2f
	cmp	sp, #0
	b	1b
2:
	round	0, , 0x380, ORDER_0
	round	1, , 0x0f0, ORDER_1
	round	2, , 0x1a0, ORDER_2
	round	3, _last, 0x012, ORDER_3
#else
	round	0, , 0x058, ORDER_0
	round	1, , 0x038, ORDER_1
	round	2, , 0x3c0, ORDER_2
	round	3, , 0x0d0, ORDER_3
	round	4, , 0x120, ORDER_0
	round	5, , 0x014, ORDER_1
	round	6, , 0x060, ORDER_2
	round	7, , 0x02c, ORDER_3
	round	8, , 0x380, ORDER_0
	round	9, , 0x0f0, ORDER_1
	round	10, , 0x1a0, ORDER_2
	round	11, _last, 0x012, ORDER_3
#endif
	ldr	pc, [sp, #AFTER]
	.size	xoodoo_rounds, . - xoodoo_rounds

#endif
