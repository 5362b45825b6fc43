/*
 * SHA-256's compression function for Armv7-M.
 *
 * References: FIPS 180-4 (2015), sections 4.1.2 and 6.2.2; same names.
 *
 * Scheduling. a to h stay in registers, and after eight rounds their names are those of the beginning.
 * A round computes W_{t+16} in place of W_t: W_t and W_{t+1} are in registers, W_{t+9} and W_{t+14} are
 * loaded from a ring of 16 words. So a round takes 31 instructions, five of them with memory. The last
 * 16 rounds have a loop of their own, which fits with the other one into a code cache of 2 KB.
 *
 * A sum of rotations is evaluated from the inside out; its last rotation is part of the addition. Maj is
 * b ^ ((a ^ b) & (b ^ c)), and a ^ b is b ^ c of the next round. The load of K_t stands before the only
 * store, which hides its second cycle. What is read and written most is in lower registers, for short
 * encodings; chains of shifted operands alternate, for the Cortex-M33.
 *
 * Registers:
 *
 *   r0, r1       scratch
 *   r1, r2       b ^ c: in r2 in even rounds, in r1 in odd ones; the other one becomes a ^ b
 *   r3, r4       W_t and W_{t+1}, which change places; in the last rounds, W_t and its address
 *   r5           the address of K_t; between blocks, of the next block
 *   r6-r12, lr   a to h
 *
 * Cycles of a call from C for one block, and in C (fast32):
 *
 *                                        here    in C
 *   Cortex-M3, 0 wait states             2025    2374
 *   Cortex-M4, 0 wait states             2025    2347
 *   Cortex-M33, code in SRAM (RP2350)    1987    2341
 *   nRF52840                             2162    2685
 *   SAM3X8E                              2408    3077
 *   STM32F103 at 72 MHz                  2523    2937
 */
#include "arm.h"

#if PW_ARMV7M

#define t r0
#define u r1
#define x r2
#define w r3
#define n r4
#define words r4
#define k r5
#define ALL r6, r7, r8, r9, r10, r11, r12, lr

/* The stack: W_t to W_{t+15}, W_i at 4 (i mod 16); the arguments. */
#define HASH 64
#define BLOCKS 68
#define COUNT 72

/* A round with K_t + W_t in h; u becomes a ^ b. */
	.macro	finish_round a, b, c, d, e, f, g, h, x, u
	eor	t, \e, \e, ror #5
	eor	\u, \f, \g
	eor	t, t, \e, ror #19
	ands	\u, \e
	add	\h, \h, t, ror #6
	eors	\u, \g
	eor	t, \a, \a, ror #11
	add	\h, \u
	eor	\u, \a, \b
	eor	t, t, \a, ror #20
	add	\d, \h
	add	\h, \h, t, ror #2
	ands	\x, \u
	eors	\x, \b
	add	\h, \x
	.endm

/* Round t with t % 16 = \i, and W_{t+16} in place of W_t. */
	.macro	round i, x, u, w, n, a, b, c, d, e, f, g, h
	add	\h, \w
	ldr	\n, [sp, #4 * ((\i + 1) & 15)]
	ldr	t, [sp, #4 * ((\i + 9) & 15)]
	ldr	\u, [sp, #4 * ((\i + 14) & 15)]
	add	\w, t
	eor	t, \u, \u, ror #2
	lsrs	\u, \u, #10
	eor	\u, \u, t, ror #17
	eor	t, \n, \n, ror #11
	add	\w, \u
	lsrs	\u, \n, #3
	eor	\u, \u, t, ror #7
	add	\w, \u
	ldr	t, [k, #4 * (\i)]
	str	\w, [sp, #4 * (\i)]
	add	\h, t
	finish_round \a, \b, \c, \d, \e, \f, \g, \h, \x, \u
	.endm

/* One of the last rounds, t % 8 = \i. */
	.macro	last_round i, x, u, a, b, c, d, e, f, g, h
	ldr	w, [words, #4 * (\i)]
	ldr	t, [k, #4 * (\i)]
	add	\h, w
	add	\h, t
	finish_round \a, \b, \c, \d, \e, \f, \g, \h, \x, \u
	.endm

/* Two rounds. */
	.macro	rounds i, a, b, c, d, e, f, g, h
	round	\i, x, u, w, n, \a, \b, \c, \d, \e, \f, \g, \h
	round	\i + 1, u, x, n, w, \h, \a, \b, \c, \d, \e, \f, \g
	.endm

	.macro	last_rounds i, a, b, c, d, e, f, g, h
	last_round \i, x, u, \a, \b, \c, \d, \e, \f, \g, \h
	last_round \i + 1, u, x, \h, \a, \b, \c, \d, \e, \f, \g
	.endm

/* void sha256_compress(uint32_t h[8], const uint8_t *blocks, size_t count) */
function sha256_compress
	cbnz	r2, 1f
	bx	lr
1:	push	{r0-r2, r4-r11, lr}
	sub	sp, #64
	ldm	r0, {ALL}
	mov	r5, r1
.Lblock:
	mov	r4, sp
	.irp	first, 0, 16, 32, 48
	load_words r5, \first, r0, r1, r2, r3
	rev	r0, r0
	rev	r1, r1
	rev	r2, r2
	rev	r3, r3
	stm	r4!, {r0-r3}
	.endr
	adds	r5, #64
	str	r5, [sp, #BLOCKS]
	ldr	w, [sp]
	ldr	k, .Lk
	eor	x, r7, r8
	.balign	4
.Lsixteen_rounds:
	.irp	i, 0, 8
	rounds	\i, r6, r7, r8, r9, r10, r11, r12, lr
	rounds	\i + 2, r12, lr, r6, r7, r8, r9, r10, r11
	rounds	\i + 4, r10, r11, r12, lr, r6, r7, r8, r9
	rounds	\i + 6, r8, r9, r10, r11, r12, lr, r6, r7
	.endr
	ldr	t, .Lend
	adds	k, #64
	cmp	k, t
	bne	.Lsixteen_rounds
	mov	words, sp
	.balign	4
.Leight_rounds:
	last_rounds 0, r6, r7, r8, r9, r10, r11, r12, lr
	last_rounds 2, r12, lr, r6, r7, r8, r9, r10, r11
	last_rounds 4, r10, r11, r12, lr, r6, r7, r8, r9
	last_rounds 6, r8, r9, r10, r11, r12, lr, r6, r7
	adds	words, #32
	adds	k, #32
	add	t, sp, #64
	cmp	words, t
	bne	.Leight_rounds
	ldr	r5, [sp, #HASH]
	ldm	r5, {r0-r3}
	add	r6, r0
	add	r7, r1
	add	r8, r2
	add	r9, r3
	stm	r5!, {r6-r9}
	ldm	r5, {r0-r3}
	add	r10, r0
	add	r11, r1
	add	r12, r2
	add	lr, r3
	stm	r5, {r10-r12, lr}
	ldr	r0, [sp, #COUNT]
	ldr	r5, [sp, #BLOCKS]
	subs	r0, #1
	str	r0, [sp, #COUNT]
	bne	.Lblock
	add	sp, #76
	pop	{r4-r11, pc}
	.balign	4
.Lk:
	.word	sha256_k
.Lend:
	.word	sha256_k + 192
end_function sha256_compress

#endif
