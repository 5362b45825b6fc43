/*
 * GHASH's loop over blocks for Armv7E-M, whose products of 32 by 32 to 64 bits take one cycle.
 *
 * References: NIST SP 800-38D (2007), sections 6.3, 6.4; names and bounds as in ct32/multiply.h. Arm
 * Cortex-M4 Processor Technical Reference Manual, section 3.3.1.
 *
 * Scheduling. A block takes nine carryless products of words, by Karatsuba's rule in two levels. Each
 * of them takes 16 integer products of every fourth bit. AND with a constant splits a factor, which
 * costs no more than loading one that was split before. UMLAL adds two products whose sum cannot
 * overflow into the next bit in use: four exclusive ors of 64 bits less. The fourth class of bits
 * overwrites its factors, so that it begins before the third one ends, and no product is used by the
 * next instruction, for which the Cortex-M33 would wait. The factors of the next product are loaded
 * before this one is stored, together with others, because loads in a row take one cycle each.
 *
 * Registers: R4, R5 the product; R0 to R3 sums; R8 to R10, R6 one factor, split; R11, R12, LR, R7
 * the other. The stack has all other values: only SP remains as a pointer.
 *
 * Cycles of a block in the loop:
 *
 *   Cortex-M4, 0 wait states   642
 *   nRF52840                   645
 *   RP2350 (Cortex-M33)        636
 */
#include "arm.h"

#if PW_ARMV7M && PW_ARM_DSP

/* The stack. */
#define S 0      /* the words of y and their sums, in the order of state->h */
#define H 36     /* state->h */
#define PA 72    /* the product of lower words */
#define PB 80    /* that of upper words */
#define L 88     /* that of the two lower words by two */
#define M 104    /* that of the sums of two words */
#define NEXT 120 /* the next block */
#define END 124  /* the end of the blocks */
#define STATE 128
#define FRAME 128

/* Every fourth bit. */
#define BITS_0 0x11111111
#define BITS_1 0x22222222
#define BITS_2 0x44444444
#define BITS_3 0x88888888

/* The factors, split. */
#define a0 r8
#define a1 r9
#define a2 r10
#define a3 r6
#define b0 r11
#define b1 r12
#define b2 lr
#define b3 r7

/* r4, r5 = the carryless product of r6 and r7. Then r6, r7 are words \next of S and H; with \joined,
 * r0 to r3 the products at PA and PB. */
	.macro	product next, joined=0
	and	a0, r6, #BITS_0
	and	a1, r6, #BITS_1
	and	a2, r6, #BITS_2
	and	a3, r6, #BITS_3
	and	b0, r7, #BITS_0
	and	b1, r7, #BITS_1
	and	b2, r7, #BITS_2
	and	b3, r7, #BITS_3
	umull	r0, r1, a0, b3
	umull	r2, r3, a1, b2
	umull	r4, r5, a2, b1
	eors	r0, r2
	eors	r1, r3
	umull	r2, r3, a3, b0
	eors	r4, r0
	eors	r5, r1
	eors	r4, r2
	eors	r5, r3
	umull	r0, r1, a0, b1
	umull	r2, r3, a1, b0
	umlal	r0, r1, a2, b3
	umlal	r2, r3, a3, b2
	and	r4, r4, #BITS_3
	and	r5, r5, #BITS_3
	eors	r0, r2
	eors	r1, r3
	and	r0, r0, #BITS_1
	and	r1, r1, #BITS_1
	umull	r2, r3, a2, b0
	orrs	r4, r0
	orrs	r5, r1
	umull	r0, r1, a0, b2
	umlal	r0, r1, a3, b3
	umull	a0, b0, a0, b0
	eors	r2, r0
	eors	r3, r1
	umull	r0, r1, a1, b1
	umlal	a0, b0, a1, b3
	eors	r2, r0
	eors	r3, r1
	umull	a2, b2, a2, b2
	and	r2, r2, #BITS_2
	umull	a1, b1, a3, b1
	and	r3, r3, #BITS_2
	eor	a0, a0, a2
	eor	b0, b0, b2
	orrs	r4, r2
	orrs	r5, r3
	.if	\joined
	ldr	r0, [sp, #PA]
	ldr	r1, [sp, #PA + 4]
	ldr	r2, [sp, #PB]
	ldr	r3, [sp, #PB + 4]
	.endif
	.ifnb	\next
	ldr	r6, [sp, #S + 4 * \next]
	ldr	r7, [sp, #H + 4 * \next]
	.endif
	eor	a0, a0, a1
	eor	b0, b0, b1
	and	a0, a0, #BITS_0
	and	b0, b0, #BITS_0
	orr	r4, r4, a0
	orr	r5, r5, b0
	.endm

/* Stores the product. */
	.macro	put at
	str	r4, [sp, #\at]
	str	r5, [sp, #\at + 4]
	.endm

/* r0, r4, r5, r3 = the product of two words by two, from those of the lower words in r0, r1, of the
 * upper words in r2, r3, and of the sums in r4, r5. */
	.macro	join
	eors	r1, r2
	eors	r4, r0
	eors	r5, r3
	eors	r4, r1
	eors	r5, r1
	.endm

/* Stores a product of two words by two. */
	.macro	put_joined at
	str	r0, [sp, #\at]
	str	r4, [sp, #\at + 4]
	str	r5, [sp, #\at + 8]
	str	r3, [sp, #\at + 12]
	.endm

/* Adds z x^128 = z (x^7 + x^2 + x + 1) to the words three and four places higher. */
	.macro	reduce z, z3, z4
	eor	\z3, \z3, \z, lsl #31
	eor	\z4, \z4, \z
	eor	\z3, \z3, \z, lsl #30
	eor	\z4, \z4, \z, lsr #1
	eor	\z3, \z3, \z, lsl #25
	eor	\z4, \z4, \z, lsr #2
	eor	\z4, \z4, \z, lsr #7
	.endm

/* void ghash_blocks(ghash_state *state, const uint8_t *blocks, size_t count) */
function ghash_blocks
	cmp	r2, #0
	it	eq
	bxeq	lr
	push	{r0, r4-r11, lr}
	sub	sp, #FRAME
	add	r2, r1, r2, lsl #4
	str	r2, [sp, #END]
	ldm	r0!, {r2-r10}
	add	r11, sp, #H
	stm	r11, {r2-r10}
	ldm	r0, {r6, r7}
	ldr	r5, [r0, #8]
	ldr	r3, [r0, #12]
	mov	r0, r1
	.balign	4
1:	ldr	r1, [r0]
	ldr	r2, [r0, #4]
	ldr	r4, [r0, #8]
	ldr	r8, [r0, #12]
	adds	r0, #16
	str	r0, [sp, #NEXT]
	rev	r1, r1
	rev	r2, r2
	rev	r4, r4
	rev	r8, r8
	eors	r3, r1
	eors	r5, r2
	eors	r7, r4
	eor	r6, r6, r8
	eor	r0, r6, r7
	eor	r1, r5, r3
	eor	r2, r6, r5
	eor	r4, r7, r3
	eor	r8, r2, r4
	str	r7, [sp, #S + 4]
	str	r0, [sp, #S + 8]
	str	r5, [sp, #S + 12]
	str	r3, [sp, #S + 16]
	str	r1, [sp, #S + 20]
	str	r2, [sp, #S + 24]
	str	r4, [sp, #S + 28]
	str	r8, [sp, #S + 32]
	ldr	r7, [sp, #H]
	product 1
	put	PA
	product 2
	put	PB
	product 6, 1
	join
	put_joined L
	product 7
	put	PA
	product 8
	put	PB
	product 3, 1
	join
	put_joined M
	product 4
	put	PA
	product 5
	put	PB
	product , 1
	join
	ldr	r6, [sp, #M + 8]
	ldr	r7, [sp, #M + 12]
	ldr	r8, [sp, #L]
	ldr	r9, [sp, #L + 4]
	ldr	r10, [sp, #M]
	ldr	r11, [sp, #M + 4]
	ldr	r12, [sp, #L + 8]
	ldr	lr, [sp, #L + 12]
	eors	r6, r5
	eors	r7, r3
	eor	r0, r0, r12
	eor	r4, r4, lr
	eor	r10, r10, r8
	eor	r11, r11, r9
	eors	r6, r0
	eors	r7, r4
	eor	r10, r10, r0
	eor	r11, r11, r4
	reduce	r8, r11, r6
	reduce	r9, r6, r7
	reduce	r10, r7, r5
	reduce	r11, r5, r3
	ldr	r0, [sp, #NEXT]
	ldr	r1, [sp, #END]
	cmp	r0, r1
	bne	1b
	ldr	r0, [sp, #STATE]
	add	sp, #FRAME + 4
	str	r6, [r0, #36]
	str	r7, [r0, #40]
	str	r5, [r0, #44]
	str	r3, [r0, #48]
	pop	{r4-r11, pc}
end_function ghash_blocks

#endif
