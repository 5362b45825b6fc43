/*
 * Keccak-f[1600] with interleaved bits, for Armv6-M.
 *
 * References: FIPS 202 (2015), sections 3.2 and 3.3; same names. G. Bertoni, J. Daemen, M. Peeters,
 * G. Van Assche, R. Van Keer, "Keccak implementation overview" (2012), section 2.1: bit
 * interleaving.
 *
 * Scheduling. As in keccak400.S, the words are on the stack, in two copies of the state: each round
 * reads one and writes the other. The even bits of a plane pass chi in five registers, then the odd
 * ones of that plane. Theta's sums of even bits stay in the upper registers, those of odd bits on
 * the stack, except the last. A distance that equals the one before is not set again.
 *
 * A loop contains two rounds, 1430 cycles.
 *
 * Registers: R0 to R4 half a plane, or parities of columns; R5, R6 scratch and distances, R7
 * scratch; R8 to R12 theta's sums for even bits, LR the last one for odd bits.
 *
 * Cycles of a call of keccak1600_permute from C:
 *
 *                      here    in C
 *   STM32F030         17446   23610
 *   RP2040 in SRAM    17432   23550
 *   SAMD21            20711   27925
 *   flash            2.4 KB  1.6 KB
 */
#include "arm.h"

#if PW_ARMV6M

#include "api.h"
#include "planes.h"

/* The stack: two states, theta's sums for odd bits, and the address of the next constant. */
#define A 0
#define E 200
#define SUMS 400
#define CONSTANTS 416
#define FRAME 420

/* In a state. */
#define EVEN 0
#define ODD 100

/* The sums for even bits: that of column x is in the register of the parity of column x - 1. */
#define sum0 r12
#define sum1 r8
#define sum2 r9
#define sum3 r10
#define sum4 r11

/* The sum for odd bits of column \x, from the parity of even bits in \after and that of odd ones in
 * \before. */
	.macro	odd_sum x, before, after
	mov	r5, \after
	eors	r5, \before
	.if	\x == 4
	mov	lr, r5
	.else
	str	r5, [sp, #SUMS + 4 * \x]
	.endif
	.endm

/* The sum for even bits, in the register of the parity of even bits, from that of odd ones. */
	.macro	even_sum sum, after
	rors	\after, r6
	mov	r5, \sum
	eors	r5, \after
	mov	\sum, r5
	.endm

	.macro	theta from
	parities (\from + EVEN)
	mov	r8, r0
	mov	r9, r1
	mov	r10, r2
	mov	r11, r3
	mov	r12, r4
	parities (\from + ODD)
	odd_sum	0, r4, r9
	odd_sum	1, r0, r10
	odd_sum	2, r1, r11
	odd_sum	3, r2, r12
	odd_sum	4, r3, r8
	movs	r6, #31
	even_sum sum0, r1
	even_sum sum1, r2
	even_sum sum2, r3
	even_sum sum3, r4
	even_sum sum4, r0
	.endm

/* \to = half (0: even bits, 1: odd bits) of lane (x, y) of the state at \from, after theta and a
 * rotation by \n. */
	.macro	lane half, to, from, x, y, n, sum
	.if	(\n + \half) & 1
	ldr	\to, [sp, #\from + ODD + 4 * (\x + 5 * \y)]
	.if	\x == 4
	mov	r5, lr
	.else
	ldr	r5, [sp, #SUMS + 4 * \x]
	.endif
	.else
	ldr	\to, [sp, #\from + EVEN + 4 * (\x + 5 * \y)]
	mov	r5, \sum
	.endif
	eors	\to, r5
	.set	.Lrotation, (32 - ((\n + ((\n + \half) & 1)) >> 1)) & 31
	.if	.Lrotation
	.if	.Lrotation - .Ldistance
	movs	r6, #.Lrotation
	.set	.Ldistance, .Lrotation
	.endif
	rors	\to, r6
	.endif
	.endm

	.macro	begin_plane
	.set	.Ldistance, 0
	.endm

/* Adds the next constant to r0. */
	.macro	iota
	ldr	r5, [sp, #CONSTANTS]
	ldmia	r5!, {r6}
	str	r5, [sp, #CONSTANTS]
	eors	r0, r6
	.endm

/* Half of the round from the state at \from to the one at \to; \part is EVEN or ODD. */
	.macro	half_round half, from, to, part
	begin_plane
	lane	\half, r0, \from, 0, 0, 0, sum0
	lane	\half, r1, \from, 1, 1, 44, sum1
	lane	\half, r2, \from, 2, 2, 43, sum2
	lane	\half, r3, \from, 3, 3, 21, sum3
	lane	\half, r4, \from, 4, 4, 14, sum4
	chi
	iota
	store_plane (\to + \part), 0
	begin_plane
	lane	\half, r0, \from, 3, 0, 28, sum3
	lane	\half, r1, \from, 4, 1, 20, sum4
	lane	\half, r2, \from, 0, 2, 3, sum0
	lane	\half, r3, \from, 1, 3, 45, sum1
	lane	\half, r4, \from, 2, 4, 61, sum2
	chi
	store_plane (\to + \part), 1
	begin_plane
	lane	\half, r0, \from, 1, 0, 1, sum1
	lane	\half, r1, \from, 2, 1, 6, sum2
	lane	\half, r2, \from, 3, 2, 25, sum3
	lane	\half, r3, \from, 4, 3, 8, sum4
	lane	\half, r4, \from, 0, 4, 18, sum0
	chi
	store_plane (\to + \part), 2
	begin_plane
	lane	\half, r0, \from, 4, 0, 27, sum4
	lane	\half, r1, \from, 0, 1, 36, sum0
	lane	\half, r2, \from, 1, 2, 10, sum1
	lane	\half, r3, \from, 2, 3, 15, sum2
	lane	\half, r4, \from, 3, 4, 56, sum3
	chi
	store_plane (\to + \part), 3
	begin_plane
	lane	\half, r0, \from, 2, 0, 62, sum2
	lane	\half, r1, \from, 3, 1, 55, sum3
	lane	\half, r2, \from, 4, 2, 39, sum4
	lane	\half, r3, \from, 0, 3, 41, sum0
	lane	\half, r4, \from, 1, 4, 2, sum1
	chi
	store_plane (\to + \part), 4
	.endm

	.macro	round from, to
	theta	\from
	half_round 0, \from, \to, EVEN
	half_round 1, \from, \to, ODD
	.endm

/* void keccak1600_permute(keccak1600_state *state) */
function keccak1600_permute
	push	{r4-r7, lr}
	mov	r4, r8
	mov	r5, r9
	mov	r6, r10
	mov	r7, r11
	push	{r0, r4-r7}
	sub	sp, #FRAME
	mov	r6, r0
	add	r7, sp, #A
	copy_planes 10
	ldr	r6, .Laddress_of_constants
	str	r6, [sp, #CONSTANTS]
	b	.Lrounds
	.balign	4
.Laddress_of_constants:
	.word	.Lconstants
.Lrounds:
	round	A, E
	round	E, A
	ldr	r5, [sp, #CONSTANTS]
	ldr	r5, [r5]
	lsrs	r5, r5, #1
	bne	1f
	bl	.Lrounds /* a jump: B does not reach it */
1:
	ldr	r7, [sp, #FRAME]
	add	r6, sp, #A
	copy_planes 10
	add	sp, #FRAME + 4
	pop	{r4-r7}
	mov	r8, r4
	mov	r9, r5
	mov	r10, r6
	mov	r11, r7
	pop	{r4-r7, pc}
end_function keccak1600_permute

/* For each round the constant's even bits and its odd ones; in the end a number that even bits are
 * not. */
	.section .rodata.keccak1600_constants, "a", %progbits
	.balign	4
.Lconstants:
	.word	1, 0x00000000, 0, 0x00000089, 0, 0x8000008b, 0, 0x80008080, 1, 0x0000008b, 1, 0x00008000
	.word	1, 0x80008088, 1, 0x80000082, 0, 0x0000000b, 0, 0x0000000a, 1, 0x00008082, 0, 0x00008003
	.word	1, 0x0000808b, 1, 0x8000000b, 1, 0x8000008a, 1, 0x80000081, 0, 0x80000081, 0, 0x80000008
	.word	0, 0x00000083, 0, 0x80008003, 1, 0x80008088, 0, 0x80000088, 1, 0x00008000, 0, 0x80008082
	.word	2

#endif
