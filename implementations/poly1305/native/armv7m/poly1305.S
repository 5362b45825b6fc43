/*
 * Poly1305's loop over blocks for Armv7E-M, whose products of 32 by 32 to 64 bits take one cycle.
 *
 * References: RFC 8439 (2018), section 2.5; names as in fast32/words.c, where the bounds are.
 *
 * Scheduling. The product is computed column by column. Each of four columns is a sum of 64 bits.
 * UMAAL adds its carry to the next column together with the first product of that column, so no
 * instruction only propagates a carry. r_0, s_2 and s_3 are in registers, the others are loaded.
 *
 * Registers: R4 to R8 the accumulator; R0 to R3 the words of the product and of the block; R9 the
 * carry of a column; R10 r_0, R11 s_3, R12 s_2 and others, LR other factors and the address of the
 * block.
 *
 * Cycles of a block in the loop:
 *
 *   Cortex-M4, 0 wait states   58
 *   nRF52840                   58
 *   RP2350 (Cortex-M33)        54
 */
#include "arm.h"

#if PW_ARMV7M && PW_ARM_DSP

/* The accumulator. */
#define a0 r4
#define a1 r5
#define a2 r6
#define a3 r7
#define a4 r8
/* The words of the product, and of the block; the carry of a column. */
#define t0 r0
#define t1 r1
#define t2 r2
#define t3 r3
#define carry r9
/* Factors: r_0, s_3, s_2, and others in turn. */
#define k0 r10
#define k3 r11
#define k2 r12
#define k lr

/* The stack: r_1 to r_3, s_1, s_2, the next block, the end of the blocks, `top`; the state. */
#define R1 0
#define R2 4
#define R3 8
#define S1 12
#define S2 16
#define NEXT 20
#define END 24
#define TOP 28
#define STATE 32

/* void poly1305_blocks(poly1305 *state, const uint8_t *blocks, size_t count, uint8_t top) */
function poly1305_blocks
	cmp	r2, #0
	it	eq
	bxeq	lr
	push	{r0, r4-r11, lr}
	add	r9, r1, r2, lsl #4
	ldm	r0!, {r4-r7}
	mov	r8, r3
	add	r2, r5, r5, lsr #2
	add	r3, r6, r6, lsr #2
	sub	sp, #32
	stm	sp, {r5-r7}
	mov	k0, r4
	add	k3, r7, r7, lsr #2
	strd	r2, r3, [sp, #S1]
	str	r9, [sp, #END]
	str	r8, [sp, #TOP]
	mov	k, r1
	ldm	r0, {r4-r8}
	.balign	4
1:	ldr	k2, [sp, #S2]
	ldr	t0, [k], #16
	ldr	carry, [sp, #TOP]
	ldr	t1, [k, #-12]
	ldr	t2, [k, #-8]
	ldr	t3, [k, #-4]
	str	k, [sp, #NEXT]
	adds	a0, t0
	adcs	a1, t1
	adcs	a2, t2
	adcs	a3, t3
	adc	a4, a4, carry
	ldr	k, [sp, #S1]
	umull	t0, carry, a0, k0
	umlal	t0, carry, a1, k3
	umlal	t0, carry, a2, k2
	umlal	t0, carry, a3, k
	mov	t1, #0
	umaal	t1, carry, a1, k0
	umlal	t1, carry, a4, k
	ldr	k, [sp, #R1]
	umlal	t1, carry, a2, k3
	umlal	t1, carry, a3, k2
	umlal	t1, carry, a0, k
	mov	t2, #0
	umaal	t2, carry, a2, k0
	umlal	t2, carry, a1, k
	ldr	k, [sp, #R2]
	umlal	t2, carry, a3, k3
	umlal	t2, carry, a4, k2
	umlal	t2, carry, a0, k
	mov	t3, #0
	umaal	t3, carry, a3, k0
	umlal	t3, carry, a1, k
	ldr	k, [sp, #R1]
	ldr	k2, [sp, #R3]
	umlal	t3, carry, a4, k3
	umlal	t3, carry, a2, k
	umlal	t3, carry, a0, k2
	mla	carry, a4, k0, carry
	/* 2^130 = 5. */
	and	a4, carry, #3
	bic	carry, carry, #3
	add	carry, carry, carry, lsr #2
	ldr	k, [sp, #NEXT]
	ldr	k2, [sp, #END]
	adds	a0, t0, carry
	adcs	a1, t1, #0
	adcs	a2, t2, #0
	adcs	a3, t3, #0
	adc	a4, a4, #0
	cmp	k, k2
	bne	1b
	ldr	r0, [sp, #STATE]
	add	sp, #36
	adds	r0, #16
	stm	r0, {r4-r8}
	pop	{r4-r11, pc}
end_function poly1305_blocks

#endif
