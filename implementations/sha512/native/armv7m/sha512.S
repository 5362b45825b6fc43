/*
 * SHA-512's compression function for Armv7-M.
 *
 * References: FIPS 180-4 (2015), sections 4.1.3 and 6.4; same names.
 *
 * Scheduling. A round needs a to h, 16 registers, and there are 14. a, b, e and b ^ c are in
 * registers; the others are read from memory, where each round writes its e and a over h and d.
 * After four rounds all are back in place, in registers too, so four rounds are a loop. Maj is
 * a ^ ((a ^ b) & ~(b ^ c)), and a ^ b is b ^ c of the next round.
 *
 * Sigma is evaluated from the inside out: ROTR^14(x ^ ROTR^4(x ^ ROTR^23(x))). The last rotation is
 * two shifts without common bits, which are added one after the other. In sigma_1, both halves of
 * the result share terms of D, the exclusive or of both halves of the operand: the lower one is
 * ROTR^19(l) ^ ROTR^29(l) ^ ROTR^6(l) ^ (D << 13) ^ (D >> 29) ^ (D << 26), with rotations of 32
 * bits.
 *
 * The message schedule is computed for 16 rounds at once, in place: two of its operands stay in
 * registers. It adds K_t, so that the rounds need one pointer. The order was found with `make
 * schedule`: on the Cortex-M33, other instructions follow most of those that shift an operand.
 *
 * Registers: R0 to R2 scratch; R3 and R4 e, LR the address of K_t + W_t; R5 to R12 four pairs for
 * a, b, b ^ c and a sum, which change their roles. In the message schedule: R3, R4 and LR
 * addresses, the four pairs W_{t-2}, W_{t-1}, W_{t-16} and W_{t-15}.
 *
 * Cycles of a call from C; 1.6 KB of flash, and 640 bytes of constants:
 *
 *   Cortex-M3, Cortex-M4, 0 wait states   8342
 *   RP2350 (Cortex-M33)                   8249
 *   SAM3X8E                              10325
 *   nRF52840                              8674
 */
#include "arm.h"

#if PW_ARMV7M

/* Scratch. */
#define u0 r0
#define u1 r1
#define u2 r2
/* In the rounds: e, and the address after K_t + W_t. */
#define e0 r3
#define e1 r4
#define sums lr
/* In the message schedule: the addresses of K_t + W_t, of W_{t-7} and of K_t. */
#define p r3
#define q r4
#define k lr
/* Words that change their roles, the lower half first. */
#define P0 r5, r6
#define P1 r7, r8
#define P2 r9, r10
#define P3 r11, r12

/* The stack: K_t + W_t of 16 rounds, the last first; 17 words W_t, also the last first: 16, and a
 * copy of the first below them; a and e of four rounds; the address of K_t; the address of h. */
#define WORDS 136
#define STATE 264
#define CONSTANTS 328
#define HASH 336
#define FRAME 336

#define A(slot) STATE + 16 * (slot)
#define E(slot) STATE + 16 * (slot) + 8

	.macro	load_pair x0, x1, at, offset
	ldr	\x0, [\at, #\offset]
	ldr	\x1, [\at, #\offset + 4]
	.endm

	.macro	store_pair x0, x1, at, offset
	str	\x0, [\at, #\offset]
	str	\x1, [\at, #\offset + 4]
	.endm

/* t += ROTR^third(x ^ ROTR^second(x ^ ROTR^first(x))). */
	.macro	add_big_sigma t0, t1, x0, x1, first, second, third
	eor	u0, \x0, \x0, lsr #\first
	eor	u1, \x1, \x1, lsr #\first
	eor	u0, u0, \x1, lsl #32 - \first
	eor	u1, u1, \x0, lsl #32 - \first
	eor	u2, \x0, u0, lsr #\second
	eor	u2, u2, u1, lsl #32 - \second
	eor	u1, \x1, u1, lsr #\second
	adds	\t0, \t0, u2, lsr #\third
	eor	u1, u1, u0, lsl #32 - \second
	adc	\t1, \t1, u1, lsr #\third
	adds	\t0, \t0, u1, lsl #32 - \third
	adc	\t1, \t1, u2, lsl #32 - \third
	.endm

/* Round t with t % 4 = \i, from a, b and x = b ^ c. t becomes the new a, b becomes a ^ b. The a of
 * the round before is stored here, after loads, because a load right after a store waits. */
	.macro	round i, a0, a1, b0, b1, x0, x1, t0, t1
	ldmdb	sums!, {\t0, \t1}
	load_pair u0, u1, sp, E(\i)
	store_pair \a0, \a1, sp, A((\i + 3) % 4)
	adds	\t0, u0
	adcs	\t1, u1
	add_big_sigma \t0, \t1, e0, e1, 23, 4, 14
	/* Ch */
	ldr	u0, [sp, #E((\i + 2) % 4)]
	ldr	u1, [sp, #E((\i + 1) % 4)]
	ldr	u2, [sp, #E((\i + 2) % 4) + 4]
	eors	u0, u1
	ands	u0, e0
	eors	u0, u1
	adds	\t0, u0
	ldr	u1, [sp, #E((\i + 1) % 4) + 4]
	ldr	e0, [sp, #A(\i)]
	ldr	u0, [sp, #A(\i) + 4]
	eors	u2, u1
	ands	u2, e1
	eors	u2, u1
	adcs	\t1, u2
	adds	e0, e0, \t0
	/* Maj */
	eors	\b0, \a0
	adc	e1, u0, \t1
	eors	\b1, \a1
	bic	\x0, \b0, \x0
	bic	\x1, \b1, \x1
	eors	\x0, \a0
	eors	\x1, \a1
	adds	\t0, \x0
	adcs	\t1, \x1
	store_pair e0, e1, sp, E(\i)
	add_big_sigma \t0, \t1, \a0, \a1, 5, 6, 28
	.endm
#define ROUND(i, a, b, x, t) round i, a, b, x, t

/* W_t in c, for t % 4 = \i: w2 is W_{t-2}, w1 W_{t-1}, c W_{t-16}; n becomes W_{t-15}. */
	.macro	next_word i, w20, w21, w10, w11, c0, c1, n0, n1
	/* sigma_1: u2 is D, u1 the terms of D in both halves */
	eor	u2, \w20, \w21
	load_pair u0, u1, q, -8 * \i
	load_pair \n0, \n1, p, WORDS - 8 - 8 * \i
	adds	\c0, u0
	adcs	\c1, u1
	lsl	u1, u2, #13
	eor	u0, \w20, \w20, ror #13
	eor	u1, u1, u2, lsr #29
	eor	u0, u0, \w20, ror #23
	eor	u2, u1, u2, lsl #26
	eor	u1, u1, \w21, lsr #6
	eor	u0, u2, u0, ror #6
	eor	u2, \w21, \w21, ror #10
	adds	\c0, u0
	eor	u2, u1, u2, ror #19
	lsr	u0, \n0, #7
	adcs	\c1, u2
	/* sigma_0 */
	eor	u1, \n1, \n1, lsr #7
	eor	u0, u0, \n1, lsl #25
	eor	u1, u1, \n0, lsl #25
	eor	u2, \n0, u0
	eor	u0, u0, u1, lsl #31
	lsr	u1, u1, #1
	eor	u1, u1, \n1, lsr #7
	eor	u0, u0, u2, lsr #1
	eor	u1, u1, u2, lsl #31
	adds	\c0, u0
	adcs	\c1, u1
	strd	\c0, \c1, [p, #WORDS - 8 * \i]
	ldm	k!, {u0, u1}
	adds	u0, \c0
	adcs	u1, \c1
	store_pair u0, u1, p, -8 * \i
	.endm
#define NEXT_WORD(i, w2, w1, c, n) next_word i, w2, w1, c, n

/* void sha512_compress(uint64_t h[8], const uint8_t *block) */
function sha512_compress
	push	{r0, r4-r11, lr}
	ldm	r0!, {r4-r11}
	sub	sp, #FRAME
	strd	r4, r5, [sp, #A(3)]
	strd	r6, r7, [sp, #A(2)]
	strd	r8, r9, [sp, #A(1)]
	strd	r10, r11, [sp, #A(0)]
	ldm	r0, {r4-r11}
	strd	r4, r5, [sp, #E(3)]
	strd	r6, r7, [sp, #E(2)]
	strd	r8, r9, [sp, #E(1)]
	strd	r10, r11, [sp, #E(0)]
	/* The first 16 words. The block may have any alignment. */
	ldr	k, .Lk
	add	r0, sp, #120
.Lload:
	ldr	r3, [r1]
	ldr	r2, [r1, #4]
	ldr	r5, [r1, #8]
	ldr	r4, [r1, #12]
	adds	r1, #16
	rev	r3, r3
	rev	r2, r2
	rev	r5, r5
	ldm	k!, {r6-r9}
	rev	r4, r4
	adds	r6, r2
	strd	r4, r5, [r0, #WORDS - 8]
	adcs	r7, r3
	adds	r8, r8, r4
	strd	r2, r3, [r0, #WORDS]
	adcs	r9, r9, r5
	strd	r8, r9, [r0, #-8]
	strd	r6, r7, [r0], #-16
	cmp	sp, r0
	bls	.Lload
.Lrounds:
	ldrd	P1, [sp, #A(2)]
	ldrd	P2, [sp, #A(1)]
	str	k, [sp, #CONSTANTS]
	add	sums, sp, #128
	eor	r9, r9, r7
	eor	r10, r10, r8
	ldrd	P0, [sp, #A(3)]
	ldrd	e0, e1, [sp, #E(3)]
	.balign	4
.Lfour_rounds:
	ROUND(0, P0, P1, P2, P3)
	ROUND(1, P3, P0, P1, P2)
	ROUND(2, P2, P3, P0, P1)
	ROUND(3, P1, P2, P3, P0)
	cmp	sp, sums
	bne	.Lfour_rounds
	ldr	k, [sp, #CONSTANTS]
	ldr	r0, .Lend
	strd	P0, [sp, #A(3)]
	cmp	k, r0
	beq	.Lfinish
	/* The next 16 words. */
	ldrd	P0, [sp, #WORDS + 8]
	ldrd	P1, [sp, #WORDS]
	ldrd	P2, [sp, #WORDS + 120]
	add	p, sp, #120
	add	q, sp, #WORDS + 48
.Lfour_words:
	NEXT_WORD(0, P0, P1, P2, P3)
	NEXT_WORD(1, P1, P2, P3, P0)
	NEXT_WORD(2, P2, P3, P0, P1)
	NEXT_WORD(3, P3, P0, P1, P2)
	/* W_{t-7} is in place of W_{t+9}, so q begins and ends there. u0 is its distance: -32, -64, 32
	 * and 0 after 4, 8, 12 and 16 words. */
	subs	p, #32
	subs	q, #32
	add	u0, sp, #WORDS + 48
	subs	u0, q, u0
	beq	.Lrounds
	bhi	.Lfour_words
	/* The new first word follows the last old one. */
	ldrd	u1, u2, [sp, #WORDS + 120]
	strd	u1, u2, [sp, #WORDS - 8]
	cmp	u0, #-64
	bne	.Lfour_words
	adds	q, #128
	b	.Lfour_words
.Lfinish:
	ldr	lr, [sp, #HASH]
	add	r12, sp, #STATE
	.irp	slot, 3, 2, 1, 0
	ldrd	r6, r7, [lr, #8 * \slot + 32]
	ldm	r12!, {r0-r3}
	ldrd	r4, r5, [lr, #8 * \slot]
	adds	r4, r0
	adcs	r5, r1
	adds	r6, r2
	strd	r4, r5, [lr, #8 * \slot]
	adcs	r7, r3
	strd	r6, r7, [lr, #8 * \slot + 32]
	.endr
	add	sp, #FRAME + 4
	pop	{r4-r11, pc}
	.balign	4
.Lk:
	.word	sha512_k
.Lend:
	.word	sha512_k + 640
end_function sha512_compress

#endif
