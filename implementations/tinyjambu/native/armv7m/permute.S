/*
 * TinyJAMBU-128's keyed permutation for Armv7-M.
 *
 * References: H. Wu, T. Huang, "TinyJAMBU" (Version 2, 2021), section 3.2.3.
 *
 * Scheduling. As in fast32/permutation.c, 32 steps take ten instructions: s47 is added early,
 * because the product s70 & s85 needs the same word. The loop computes 256 steps, so that the
 * branch at its end, which the C has after 128, counts half; an odd number of 128 steps enters it
 * in the middle. Instructions are short where they can be, because on the SAM3X8E 32-bit ones come
 * from flash more slowly than they execute, and the loop begins with a line of flash. The order is
 * the best of those tried for that part and for the Cortex-M33, where a sum with a shifted operand
 * is ready a cycle late: at most two such sums follow each other. Cortex-M3 and M4 without wait
 * states take the same time in each order.
 *
 * Registers: R0, R1, R12 and LR the complement of the key, R2 counts, R3 to R6 the state, R7
 * scratch. Two words of the key are in low registers, where their sums are short.
 *
 * Cycles of a call from C:
 *
 *                             1024 steps  640 steps  1024 steps in C  640 steps in C
 *   Cortex-M3, M4, 0 wait states     370        248              388             259
 *   nRF52840                         370        248              388             259
 *   SAM3X8E                          417        285              515             335
 *   RP2350 (Cortex-M33)              399        265              538             349
 */
#include "arm.h"

#if PW_ARMV7M

/* The complement of the key. */
#define k0 r0
#define k1 r1
#define k2 r12
#define k3 lr
/* Iterations of the loop. */
#define count r2
/* The state. */
#define s0 r3
#define s1 r4
#define s2 r5
#define s3 r6
#define x r7

/* 32 steps on successive words of the state; the new word replaces \a, to which s47 has been added,
 * and the next s47 is added to \b. */
	.macro	steps32 a, b, c, d, k
	lsrs	x, \c, #15
	orr	x, x, \d, lsl #17
	eor	\a, \a, \d, lsl #5
	eors	\b, x /* s47 */
	ands	x, \c
	eor	\a, \a, x, lsr #6 /* s70 & s85 */
	eor	\a, \a, \c, lsr #27 /* s91 */
	and	x, \d, \d, lsr #15
	eors	\a, \k
	eor	\a, \a, x, lsl #26
	.endm

	.macro	steps128
	steps32	s0, s1, s2, s3, k0
	steps32	s1, s2, s3, s0, k1
	steps32	s2, s3, s0, s1, k2
	steps32	s3, s0, s1, s2, k3
	.endm

/* void tinyjambu_permute(tinyjambu_state *s, const tinyjambu_key *key, unsigned steps) */
	section_for tinyjambu_permute
	.skip	8 /* The loop is 24 bytes behind the entry. */
	entry	tinyjambu_permute
	push	{r0, r4-r7, lr}
	ldm	r0!, {s0, s1, s2, s3}
	ldm	r1, {k0, k1, k2, k3}
	eor	s0, s0, s1, lsr #15
	eor	s0, s0, s2, lsl #17
	lsrs	count, count, #1
	adc	count, count, #0
	bcs	2f
1:	steps128
2:	steps128
	subs	count, #1
	bne.w	1b
	eor	s0, s0, s1, lsr #15
	eor	s0, s0, s2, lsl #17
	pop	{r0}
	stm	r0!, {s0, s1, s2, s3}
	pop	{r4-r7, pc}
	end_function tinyjambu_permute

#endif
