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
 * oldest ones, so two blocks of 32 clocks are renamed registers.
 *
 * The authenticator adds to A the product of 32 bits of message and 96 bits of R, without carries.
 * Each factor is split into four words with every fourth bit. An integer product of two of them, or
 * the sum of two products, counts at most 15 in four bits, of which the lowest is the result. Only
 * the lower halves of products are used: MUL and MLA take the same time for all operands, UMULL does
 * not on the Cortex-M3. The upper half is that of the reversed words, reversed.
 *
 * Registers: see below.
 */
#include "arm.h"

#if PW_ARMV7M

/* Bits n to n + 31 of \high || \low. */
	.macro	tap to, low, high, n
	lsr	\to, \low, #\n
	orr	\to, \to, \high, lsl #(32 - \n)
	.endm

/* Adds them. */
	.macro	add_tap to, low, high, n
	eor	\to, \to, \low, lsr #\n
	eor	\to, \to, \high, lsl #(32 - \n)
	.endm

/* The state is in r0 to r7; these are scratch. */
#define t r8
#define u r9
#define b95 r10
#define f r11
#define q2 r12
#define q3 lr

/* y, in t */
	.macro	pre_output b0, s0, b1, s1, b2, s2, b3, s3
	tap	b95, \b2, \b3, 31
	tap	f, \b0, \b1, 12
	tap	t, \s2, \s3, 30
	and	t, t, b95
	add_tap	t, \s0, \s1, 8
	and	t, t, f
	tap	u, \s1, \s2, 10
	and	u, u, b95
	eor	t, t, u
	tap	u, \s0, \s1, 13
	tap	f, \s0, \s1, 20
	and	u, u, f
	eor	t, t, u
	tap	u, \s1, \s2, 28
	tap	f, \s2, \s3, 15
	and	u, u, f
	eor	t, t, u
	add_tap	t, \s2, \s3, 29
	add_tap	t, \b0, \b1, 2
	add_tap	t, \b0, \b1, 15
	add_tap	t, \b1, \b2, 4
	add_tap	t, \b1, \b2, 13
	eor	t, t, \b2
	add_tap	t, \b2, \b3, 9
	add_tap	t, \b2, \b3, 25
	.endm

/* The registers' next words, in b0 and s0, without y; b95 is set. */
	.macro	update b0, s0, b1, s1, b2, s2, b3, s3
	/* b[n] b[n + 4] */
	tap	q2, \b2, \b3, 4
	and	q2, q2, \b2
	and	q3, \b3, \b3, lsr #4
	tap	f, q2, q3, 24
	tap	t, \b2, \b3, 29
	and	t, t, b95
	and	f, f, t
	tap	t, \b2, \b3, 6
	tap	u, q2, q3, 14
	and	t, t, u
	eor	f, f, t
	tap	t, \b1, \b2, 4
	and	t, t, \b1
	add_tap	f, t, q2, 29
	/* b[n] b[n + 1] */
	tap	q2, \b0, \b1, 1
	and	q2, q2, \b0
	and	q3, \b1, \b1, lsr #1
	add_tap	f, q2, q3, 17
	tap	t, \b0, \b1, 22
	tap	u, q2, q3, 24
	and	t, t, u
	eor	f, f, t
	/* b[68] b[84], b[40] b[48] and b[11] b[13] */
	tap	t, \b2, \b3, 4
	tap	u, \b2, \b3, 20
	and	t, t, u
	eor	f, f, t
	tap	t, \b1, \b2, 8
	tap	u, \b1, \b2, 16
	and	t, t, u
	eor	f, f, t
	tap	t, \b0, \b1, 11
	tap	u, \b0, \b1, 13
	and	t, t, u
	eor	f, f, t
	/* b[3] b[67]; b[27] b[59] + b[91] */
	and	t, \b0, \b2
	and	u, \b1, \b3
	add_tap	f, t, u, 3
	and	t, \b0, \b1
	and	u, \b1, \b2
	eor	t, t, \b2
	eor	u, u, \b3
	add_tap	f, t, u, 27
	/* the linear taps */
	add_tap	f, \b0, \b1, 26
	add_tap	f, \b1, \b2, 24
	eor	f, f, \b3
	eor	f, f, \s0
	eor	\b0, \b0, f
	eor	f, \s0, \s3
	add_tap	f, \s0, \s1, 7
	add_tap	f, \s1, \s2, 6
	add_tap	f, \s2, \s3, 6
	eor	f, f, \s2, lsr #17
	eor	\s0, f, \s3, lsl #15
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
	and	u, u, q3
	eor	r0, r0, u
	eor	r1, r1, u
	strd	r0, r1, [t, #32]
	add	t, t, #8
	str	t, [sp, #WORDS]
	subs	q2, #1
	str	q2, [sp, #BLOCKS]
	bne	.Lclock
	add	sp, #16
	pop	{r4-r11, pc}
end_function grain_clock

#undef t
#undef u

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
	rbit	d3, d3
	split	c0, c1, c2, c3, \m
	split	d0, d1, d2, d3, d3
	multiply
	ldr	t, [at]
	rbit	product, product
	eor	t, t, product
	str	t, [at]
	ldr	d3, [at, #12]
	rbit	t, d3
	str	d3, [at, #8]
	split	d0, d1, d2, d3, t
	multiply
	ldr	t, [at, #4]
	rbit	product, product
	eor	t, t, product
	str	t, [at, #4]
	rbit	\m, \m
	ldr	d3, [at, #12]
	split	c0, c1, c2, c3, \m
	str	\r, [at, #12]
	split	d0, d1, d2, d3, d3
	multiply
	ldr	t, [at]
	eor	t, t, product, lsl #1
	str	t, [at]
	split	d0, d1, d2, d3, \r
	multiply
	ldr	t, [at, #4]
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
