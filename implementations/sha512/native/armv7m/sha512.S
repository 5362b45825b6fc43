/*
 * SHA-512's compression function for Armv7-M.
 *
 * References: FIPS 180-4 (2015), sections 4.1.3 and 6.4; same names.
 */
#include "arm.h"

#if PW_ARMV7M

/* Scratch. */
#define u0 r0
#define u1 r1
#define u2 r2
/* Of the rounds: e, and where K_t + W_t is. */
#define e0 r3
#define e1 r4
#define sums lr
/* Of the message schedule: where K_t + W_t will be, where W_{t-7} is, where K_t is. */
#define p r3
#define q r4
#define k lr
/* Pairs of registers that change their roles, the lower half first. */
#define P0 r5, r6
#define P1 r7, r8
#define P2 r9, r10
#define P3 r11, r12

/* The stack: K_t + W_t of 16 rounds, the last first; W_t in the same order, then W_{16 i} again;
 * four records of a and e; the address of K_t; the address of h. */
#define SUMS 0
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

/* t += ROTR^\r(x ^ ROTR^\q(x ^ ROTR^\p(x))). */
	.macro	add_big_sigma t0, t1, x0, x1, p, q, r
	eor	u0, \x0, \x0, lsr #\p
	eor	u1, \x1, \x1, lsr #\p
	eor	u0, u0, \x1, lsl #32 - \p
	eor	u1, u1, \x0, lsl #32 - \p
	eor	u2, \x0, u0, lsr #\q
	eor	u2, u2, u1, lsl #32 - \q
	eor	u1, \x1, u1, lsr #\q
	eor	u1, u1, u0, lsl #32 - \q
	adds	\t0, \t0, u2, lsr #\r
	adc	\t1, \t1, u1, lsr #\r
	adds	\t0, \t0, u1, lsl #32 - \r
	adc	\t1, \t1, u2, lsl #32 - \r
	.endm

/* Round t with t % 4 = \i; a, b and x = b ^ c. The new a is in t, a ^ b in b. */
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
	ldr	u1, [sp, #E((\i + 1) % 4) + 4]
	ldr	e0, [sp, #A(\i)]
	adds	\t0, u0
	ldr	u0, [sp, #A(\i) + 4]
	eors	u2, u1
	ands	u2, e1
	eors	u2, u1
	adcs	\t1, u2
	adds	e0, e0, \t0
	adc	e1, u0, \t1
	/* Maj */
	eors	\b0, \a0
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
	load_pair \n0, \n1, p, WORDS - 8 - 8 * \i
	load_pair u0, u1, q, -8 * \i
	adds	\c0, u0
	adcs	\c1, u1
	/* sigma_1 */
	eor	u2, \w20, \w21
	eor	u0, \w20, \w20, ror #13
	eor	u0, u0, \w20, ror #23
	lsl	u1, u2, #13
	eor	u1, u1, u2, lsr #29
	eor	u0, u1, u0, ror #6
	eor	u0, u0, u2, lsl #26
	adds	\c0, u0
	eor	u0, \w21, \w21, ror #10
	eor	u0, u1, u0, ror #19
	eor	u0, u0, \w21, lsr #6
	adcs	\c1, u0
	/* sigma_0 */
	lsr	u0, \n0, #7
	eor	u0, u0, \n1, lsl #25
	eor	u1, \n1, \n1, lsr #7
	eor	u1, u1, \n0, lsl #25
	eor	u2, \n0, u0
	eor	u0, u0, u2, lsr #1
	eor	u0, u0, u1, lsl #31
	adds	\c0, u0
	lsr	u0, \n1, #7
	eor	u0, u0, u1, lsr #1
	eor	u0, u0, u2, lsl #31
	adcs	\c1, u0
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
	sub	sp, #FRAME
	ldm	r0!, {r4-r11}
	strd	r4, r5, [sp, #A(3)]
	strd	r6, r7, [sp, #A(2)]
	strd	r8, r9, [sp, #A(1)]
	strd	r10, r11, [sp, #A(0)]
	ldm	r0, {r4-r11}
	strd	r4, r5, [sp, #E(3)]
	strd	r6, r7, [sp, #E(2)]
	strd	r8, r9, [sp, #E(1)]
	strd	r10, r11, [sp, #E(0)]
	/* W_0 to W_15. The block may have any alignment. */
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
	rev	r4, r4
	ldm	k!, {r6-r9}
	adds	r6, r2
	adcs	r7, r3
	adds	r8, r8, r4
	adcs	r9, r9, r5
	strd	r2, r3, [r0, #WORDS]
	strd	r4, r5, [r0, #WORDS - 8]
	strd	r8, r9, [r0, #-8]
	strd	r6, r7, [r0], #-16
	cmp	sp, r0
	bls	.Lload
.Lrounds:
	str	k, [sp, #CONSTANTS]
	add	sums, sp, #128
	ldrd	P0, [sp, #A(3)]
	ldrd	e0, e1, [sp, #E(3)]
	ldrd	P1, [sp, #A(2)]
	ldrd	P2, [sp, #A(1)]
	eor	r9, r9, r7
	eor	r10, r10, r8
	.balign 4
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
	.balign 4
.Lfour_words:
	NEXT_WORD(0, P0, P1, P2, P3)
	NEXT_WORD(1, P1, P2, P3, P0)
	NEXT_WORD(2, P2, P3, P0, P1)
	NEXT_WORD(3, P3, P0, P1, P2)
	/* After 4, 8, 12 and 16 words, q is 16, -16, 80 and 48 after the last word. */
	subs	p, #32
	subs	q, #32
	add	u0, sp, #WORDS + 48
	subs	u0, q, u0
	beq	.Lrounds
	bhi	.Lfour_words
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
	ldm	r12!, {r0-r3}
	ldrd	r4, r5, [lr, #8 * \slot]
	ldrd	r6, r7, [lr, #8 * \slot + 32]
	adds	r4, r0
	adcs	r5, r1
	adds	r6, r2
	adcs	r7, r3
	strd	r4, r5, [lr, #8 * \slot]
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
