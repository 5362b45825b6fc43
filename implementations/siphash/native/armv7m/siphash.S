/*
 * SipHash-2-4's rounds for Armv7-M.
 *
 * References: J.-P. Aumasson, D. J. Bernstein, "SipHash: a fast short-input PRF", INDOCRYPT 2012,
 * section 2; same names.
 *
 * Scheduling. v_0 to v_3 stay in registers. An exclusive or with a rotated word takes four instructions,
 * two for each half, because a shifted operand is free. It writes both halves to other registers; after
 * a round all words are back in theirs. A rotation by 32 bits exchanges names, so that two rounds are a
 * unit: 48 instructions. Halves alternate, because on the Cortex-M33 a sum with a shifted operand is ready
 * a cycle late.
 *
 * Registers: r0 the address of v, r1 that of the next word, r2 to r9 v_0 to v_3, the lower half first, r10
 * and r11 scratch, r12 and lr the word. The end of the words is on the stack.
 *
 * Cycles of a call of siphash_absorb for 16 words from C, and of another word; 0.5 KB of flash:
 *
 *   Cortex-M3, Cortex-M4, 0 wait states   1037    62
 *   nRF52840                              1037    62
 *   Cortex-M33, code in SRAM (RP2350)      998    60
 *   SAM3X8E                               1310    79
 */
#include "arm.h"

#if PW_ARMV7M

#define next r1
#define V r2-r9
#define V0 r2, r3
#define V0_TURNED r3, r2
#define V1 r4, r5
#define V2 r6, r7
#define V2_TURNED r7, r6
#define V3 r8, r9
#define T r10, r11
#define m0 r12
#define m1 lr

/* x += y, then t = (y <<< n) ^ x */
	.macro	add_rotate x0, x1, y0, y1, n, t0, t1
	adds	\x0, \x0, \y0
	adcs	\x1, \x1, \y1
	eor	\t0, \x0, \y0, lsl #\n
	eor	\t1, \x1, \y1, lsl #\n
	eor	\t0, \t0, \y1, lsr #32 - \n
	eor	\t1, \t1, \y0, lsr #32 - \n
	.endm

#define ADD_ROTATE(x, y, n, t) add_rotate x, y, n, t

	.macro	two_rounds
	ADD_ROTATE(V0, V1, 13, T)
	ADD_ROTATE(V2, V3, 16, V1)
	ADD_ROTATE(V0_TURNED, V1, 21, V3)
	ADD_ROTATE(V2, T, 17, V1)
	ADD_ROTATE(V0_TURNED, V1, 13, T)
	ADD_ROTATE(V2_TURNED, V3, 16, V1)
	ADD_ROTATE(V0, V1, 21, V3)
	ADD_ROTATE(V2_TURNED, T, 17, V1)
	.endm

/* void siphash_absorb(uint64_t v[4], const uint8_t *words, size_t count) */
function siphash_absorb
	cbnz	r2, 1f
	bx	lr
1:	push	{r4-r11, lr}
	add	r3, r1, r2, lsl #3
	push	{r3}
	ldm	r0, {V}
.Lword:
	ldr	m0, [next]
	ldr	m1, [next, #4]
	adds	next, #8
	eor	r8, r8, m0
	eor	r9, r9, m1
	two_rounds
	ldr	r10, [sp]
	eor	r2, r2, m0
	eor	r3, r3, m1
	cmp	next, r10
	bne	.Lword
	stm	r0, {V}
	add	sp, #4
	pop	{r4-r11, pc}
end_function siphash_absorb

/* void siphash_finish(uint64_t v[4]) */
function siphash_finish
	push	{r4-r11, lr}
	ldm	r0, {V}
	movs	next, #2
2:	two_rounds
	subs	next, #1
	bne	2b
	stm	r0, {V}
	pop	{r4-r11, pc}
end_function siphash_finish

#endif
