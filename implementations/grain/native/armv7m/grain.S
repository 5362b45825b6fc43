/*
 * Grain-128AEADv2 for Armv7-M: the registers' clocking, the authenticator, and loops over 32 bits
 * of message.
 *
 * References: "Grain-128AEADv2" (2021), sections 2.1 and 2.3 (see grain.h).
 *
 * Scheduling. 32 clocks at a time: the state is eight words, which leaves six registers. A tap at
 * bit n of two words takes two instructions, each with a shifted operand, which write to a sum
 * directly if the tap is linear. Products of taps at the same distance share their multiplication:
 * b[17] b[18] and b[24] b[25]; b[61] b[65], b[78] b[82] and b[88] b[92]. The new words replace the
 * oldest ones, so two blocks of 32 clocks are the same with registers renamed. On the Cortex-M33,
 * results of instructions with a shifted operand are ready a cycle late, so sums alternate.
 *
 * The authenticator adds to A the product of 32 bits of message and 96 bits of R, without carries.
 * Each factor is split into four words with every fourth bit. In the lower half of an integer
 * product of two, four bits count at most 7, only the last ones 8, which may overflow if two
 * products are added. The lowest of four bits is the result. MUL and MLA take the same time for all
 * operands; UMULL does not on the Cortex-M3, so the upper half is the lower half of the product of
 * the reversed words, reversed.
 *
 * Registers: R0 to R7 the state, R8 to R12 and LR scratch. In the authenticator: R0 its address, R1
 * and R2 the words of message and R, R3 the product, R4 to R11 factors, R12 and LR scratch.
 *
 * Cycles of calls from C: 32 clocks, the authenticator, and 32 bits of message in the loop.
 *
 *                             grain_clock  grain_authenticate  32 bits  flash (all)
 *   Cortex-M3, 0 wait states          181                 212      514       2.9 KB
 *   Cortex-M4, 0 wait states          181                 180      481
 *   SAM3X8E                           216                 248      647
 *   nRF52840                          181                 180      481
 *   RP2350 (Cortex-M33)               175                 190      489
 */
#include "arm.h"

#if PW_ARMV7M

/* The state is in r0 to r7; these are scratch. */
#define t r8
#define u r9
#define v r10
#define f r11
#define q2 r12
#define q3 lr

	/* \to += bits n to n + 31 of \high || \low, and bits n1 to n1 + 31 of h1 || l1 times bits n2 to
	 * n2 + 31 of h2 || l2, with the scratch registers \x and \y. */
	.macro	add_tap_and_product to, x, y, low, high, n, l1, h1, n1, l2, h2, n2
	lsr	\x, \l1, #\n1
	eor	\to, \to, \low, lsr #\n
	lsr	\y, \l2, #\n2
	orr	\x, \x, \h1, lsl #(32 - \n1)
	orr	\y, \y, \h2, lsl #(32 - \n2)
	eor	\to, \to, \high, lsl #(32 - \n)
	and	\x, \x, \y
	eor	\to, \to, \x
	.endm

	/* y, in t; b[95] is in v then. */
	.macro	pre_output b0, s0, b1, s1, b2, s2, b3, s3
	/* b[12] s[8] + b[12] b[95] s[94] + b[95] s[42] */
	lsr	v, \b2, #31
	lsr	t, \s2, #30
	orr	v, v, \b3, lsl #1
	orr	t, t, \s3, lsl #2
	lsr	f, \b0, #12
	and	t, t, v
	orr	f, f, \b1, lsl #20
	eor	t, t, \s0, lsr #8
	lsr	u, \s1, #10
	eor	t, t, \s1, lsl #24
	orr	u, u, \s2, lsl #22
	and	t, t, f
	and	u, u, v
	eor	t, t, u
	/* s[13] s[20] + b[2], s[60] s[79] + b[15] */
	add_tap_and_product t, u, f, \b0, \b1, 2, \s0, \s1, 13, \s0, \s1, 20
	add_tap_and_product t, u, f, \b0, \b1, 15, \s1, \s2, 28, \s2, \s3, 15
	/* s[93] + b[45] and b[64] + b[36] + b[73] + b[89] */
	eor	f, \b2, \b1, lsr #4
	eor	t, t, \s2, lsr #29
	eor	f, f, \b2, lsl #28
	eor	t, t, \s3, lsl #3
	eor	f, f, \b2, lsr #9
	eor	t, t, \b1, lsr #13
	eor	f, f, \b3, lsl #23
	eor	t, t, \b2, lsl #19
	eor	f, f, \b2, lsr #25
	eor	t, t, \b3, lsl #7
	eor	t, t, f
	.endm

	/* The registers' next words without y, in b0 and s0; b[95] is in v. */
	.macro	update b0, s0, b1, s1, b2, s2, b3, s3
	/* q = b[n] b[n + 4]: b[88] b[92] b[93] b[95] + b[70] b[78] b[82] + b[61] b[65] */
	lsr	q2, \b2, #4
	lsr	t, \b2, #29
	orr	q2, q2, \b3, lsl #28
	orr	t, t, \b3, lsl #3
	and	q3, \b3, \b3, lsr #4
	and	q2, q2, \b2
	and	t, t, v
	lsr	f, q2, #24
	lsr	u, q2, #14
	orr	f, f, q3, lsl #8
	orr	u, u, q3, lsl #18
	lsr	v, \b2, #6
	and	f, f, t
	orr	v, v, \b3, lsl #26
	lsr	t, \b1, #4
	and	u, u, v
	orr	t, t, \b2, lsl #28
	eor	f, f, u
	and	t, t, \b1
	eor	f, f, q2, lsl #3
	lsr	q2, \b0, #1
	eor	f, f, t, lsr #29
	/* q = b[n] b[n + 1]: b[17] b[18] + b[22] b[24] b[25] */
	orr	q2, q2, \b1, lsl #31
	and	q3, \b1, \b1, lsr #1
	and	q2, q2, \b0
	eor	f, f, q3, lsl #15
	lsr	t, q2, #24
	lsr	u, \b0, #22
	eor	f, f, q2, lsr #17
	orr	t, t, q3, lsl #8
	orr	u, u, \b1, lsl #10
	and	v, \b0, \b2
	and	t, t, u
	and	q3, \b1, \b3
	eor	f, f, t
	/* b[3] b[67] + b[68] b[84] */
	add_tap_and_product f, t, u, v, q3, 3, \b2, \b3, 4, \b2, \b3, 20
	/* b[27] b[59] + b[91] + b[40] b[48] */
	and	q2, \b0, \b1
	and	q3, \b1, \b2
	eor	q2, q2, \b2
	eor	q3, q3, \b3
	add_tap_and_product f, t, u, q2, q3, 27, \b1, \b2, 8, \b1, \b2, 16
	/* b[26] + b[11] b[13] */
	add_tap_and_product f, t, u, \b0, \b1, 26, \b0, \b1, 11, \b0, \b1, 13
	/* b[56] + b[96] + s[0] + b[0], and s */
	eor	t, \s0, \s3
	eor	f, f, \b1, lsr #24
	eor	t, t, \s0, lsr #7
	eor	f, f, \b2, lsl #8
	eor	t, t, \s1, lsl #25
	eor	f, f, \b3
	eor	t, t, \s1, lsr #6
	lsr	u, \s2, #17
	eor	t, t, \s2, lsl #26
	eor	f, f, \s0
	eor	t, t, \s2, lsr #6
	eor	u, u, \s3, lsl #15
	eor	t, t, \s3, lsl #26
	eor	\b0, \b0, f
	eor	\s0, t, u
	.endm

/* void grain_clock(grain_words *w, uint32_t *y, uint8_t blocks, uint8_t feedback) */
#define WORDS 0
#define OUTPUT 4
#define BLOCKS 8
#define MASK 12
function grain_clock
	sbfx	r3, r3, #0, #1
	push	{r0-r11, lr}
.Lclock:
	ldr	t, [sp, #WORDS]
	ldm	t, {r0-r7}
	pre_output r0, r1, r2, r3, r4, r5, r6, r7
	ldr	u, [sp, #OUTPUT]
	str	t, [u], #4
	str	u, [sp, #OUTPUT]
	update	r0, r1, r2, r3, r4, r5, r6, r7
	ldrd	t, u, [sp, #WORDS]
	ldrd	q2, q3, [sp, #BLOCKS]
	ldr	u, [u, #-4]
	subs	q2, #1
	and	u, u, q3
	eor	r0, r0, u
	eor	r1, r1, u
	strd	r0, r1, [t, #32]
	add	t, t, #8
	str	t, [sp, #WORDS]
	str	q2, [sp, #BLOCKS]
	bne	.Lclock
	add	sp, #16
	pop	{r4-r11, pc}
end_function grain_clock

#undef t
#undef u
#undef v

/* The authenticator. */
#define at r0
#define product r3
#define c0 r4
#define c1 r5
#define c2 r6
#define c3 r7
#define d0 r8
#define d1 r9
#define d2 r10
#define d3 r11
#define t r12
#define u lr

/* Every fourth bit of a word, from bits 0, 1, 2 and 3 on; the word may be in \d3. */
	.macro	split d0, d1, d2, d3, word
	and	\d0, \word, #0x11111111
	and	\d1, \word, #0x22222222
	and	\d2, \word, #0x44444444
	and	\d3, \word, #0x88888888
	.endm

/* The lower 32 bits of the product of c and d. */
	.macro	multiply
	mul	t, c0, d0
	mul	u, c2, d2
	mla	t, c1, d3, t
	mla	u, c3, d1, u
	eor	t, t, u
	and	product, t, #0x11111111
	mul	t, c0, d1
	mul	u, c2, d3
	mla	t, c1, d0, t
	mla	u, c3, d2, u
	eor	t, t, u
	and	t, t, #0x22222222
	orr	product, product, t
	mul	t, c0, d2
	mul	u, c2, d0
	mla	t, c1, d1, t
	mla	u, c3, d3, u
	eor	t, t, u
	and	t, t, #0x44444444
	orr	product, product, t
	mul	t, c0, d3
	mul	u, c2, d1
	mla	t, c1, d2, t
	mla	u, c3, d0, u
	eor	t, t, u
	and	t, t, #0x88888888
	orr	product, product, t
	.endm

/* A (at \at) += the product of \m and \r || R, \m reversed, of which it takes bits 31 to 94;
 * R = its next bits. */
	.macro	authenticate m, r
	ldr	d3, [at, #8]
	split	c0, c1, c2, c3, \m
	rbit	d3, d3
	split	d0, d1, d2, d3, d3
	multiply
	rbit	product, product
	ldr	t, [at]
	ldr	d3, [at, #12]
	str	d3, [at, #8]
	eor	t, t, product
	str	t, [at]
	rbit	t, d3
	split	d0, d1, d2, d3, t
	multiply
	rbit	product, product
	rbit	\m, \m
	split	c0, c1, c2, c3, \m
	ldr	t, [at, #4]
	ldr	d3, [at, #12]
	eor	t, t, product
	str	t, [at, #4]
	split	d0, d1, d2, d3, d3
	multiply
	ldr	t, [at]
	split	d0, d1, d2, d3, \r
	eor	t, t, product, lsl #1
	str	t, [at]
	multiply
	ldr	t, [at, #4]
	str	\r, [at, #12]
	eor	t, t, product, lsl #1
	str	t, [at, #4]
	.endm

/* void grain_authenticate(grain_authenticator *a, uint32_t m, uint32_t r) */
function grain_authenticate
	push	{r4-r11, lr}
	authenticate r1, r2
	pop	{r4-r11, pc}
end_function grain_authenticate

#undef t
#undef u
#undef r
#undef m

/* Exchanges the bits of each word under \mask with those \n bits above; r8 and r9 are scratch. */
	.macro	exchange_within x, y, n, mask
	eor	r8, \x, \x, lsr #\n
	eor	r9, \y, \y, lsr #\n
	and	r8, r8, #\mask
	and	r9, r9, #\mask
	eor	\x, \x, r8
	eor	\y, \y, r9
	eor	\x, \x, r8, lsl #\n
	eor	\y, \y, r9, lsl #\n
	.endm

/* void grain_take_groups(grain_words *w, grain_authenticator *a, uint8_t *output,
 *                        const uint8_t *input, size_t groups, unsigned direction) */
#define Y 0 /* two words */
#define STATE 8
#define AUTHENTICATOR 12
#define OUTPUT_AT 16
#define INPUT_AT 20
#define GROUPS 60
#define DIRECTION 64
#define ABSORB 0
#define DECRYPT 2
function grain_take_groups
	push	{r0-r11, lr}
	sub	sp, #8
.Lgroup:
	ldr	r8, [sp, #STATE]
	ldm	r8, {r0-r7}
	pre_output r0, r1, r2, r3, r4, r5, r6, r7
	str	r8, [sp, #Y]
	update	r0, r1, r2, r3, r4, r5, r6, r7
	pre_output r2, r3, r4, r5, r6, r7, r0, r1
	str	r8, [sp, #Y + 4]
	update	r2, r3, r4, r5, r6, r7, r0, r1
	ldr	r8, [sp, #STATE]
	stm	r8!, {r4-r7}
	stm	r8, {r0-r3}
	/* Bits 0, 2, 4, ... of both words in their lower halves, the others in their upper halves */
	ldrd	r4, r2, [sp, #Y]
	exchange_within r4, r2, 1, 0x22222222
	exchange_within r4, r2, 2, 0x0c0c0c0c
	exchange_within r4, r2, 4, 0x00f000f0
	exchange_within r4, r2, 8, 0x0000ff00
	/* r4 = the key stream, r2 = the next bits of R */
	lsr	r5, r4, #16
	bfi	r4, r2, #16, #16
	bfi	r2, r5, #0, #16
	/* r1 = the message */
	ldr	r5, [sp, #INPUT_AT]
	ldr	r6, [sp, #DIRECTION]
	ldr	r1, [r5], #4
	str	r5, [sp, #INPUT_AT]
	cmp	r6, #ABSORB
	beq	.Lauthenticate
	ldr	r5, [sp, #OUTPUT_AT]
	eors	r4, r1
	str	r4, [r5], #4
	str	r5, [sp, #OUTPUT_AT]
	cmp	r6, #DECRYPT
	it	eq
	moveq	r1, r4
.Lauthenticate:
	ldr	at, [sp, #AUTHENTICATOR]
	authenticate r1, r2
	ldr	r4, [sp, #GROUPS]
	subs	r4, #1
	str	r4, [sp, #GROUPS]
	bne	.Lgroup
	add	sp, #24
	pop	{r4-r11, pc}
end_function grain_take_groups

#endif
