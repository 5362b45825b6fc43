/*
 * Keccak-p[400, n] for Armv6-M, in words that hold two copies of a lane.
 *
 * References: FIPS 202 (2015), sections 3.2 and 3.3; same names. "ISAP v2.0" (2021), algorithm 3,
 * for keccak400_absorb_bits.
 *
 * Scheduling. Only eight registers take part in computations, so the lanes are on the stack, in two
 * copies of the state: each round reads one and writes the other. Planes are read for their
 * parities, and written, by instructions that transfer several words. The sums of theta stay in the
 * upper registers and are added to lanes on their way to chi, which a plane passes in five
 * registers. A rotation by eight exchanges bytes and needs no distance.
 *
 * A loop contains two rounds: 691 cycles, of which loads and stores take 248.
 *
 * Registers: R0 to R4 a plane, or parities of columns; R5, R6 scratch and distances, R7 scratch; R8
 * to R12 the sums of theta.
 *
 * Cycles of a call from C:
 *
 *                   20 rounds  8 rounds  keccak400_absorb_bits  in C: 20 rounds  8 rounds
 *   STM32F030            7081      2935                  46030           10003      4099
 *   RP2040 in SRAM       7069      2929                  45887            9980      4088
 *   SAMD21               8442      3486                  54807           11883      4863
 */
#include "arm.h"

#if PW_ARMV6M

#include "api.h"
#include "constants.h"
#include "planes.h"
#include "variant.h"

/* The stack: two states, and the address of the next constant; or, of the bits to absorb, those of
 * a byte that are left, the first as the highest, the address of the next byte, and the number of
 * bits that are left. */
#define A 0
#define E 100
#define CONSTANTS 200
#define BITS 200
#define BYTES 204
#define LEFT 208
#define FRAME 212

/* \to = \before ^ \after, rotated left by 1 */
	.macro	sum to, before, after
	mov	r5, \after
	rors	r5, r6
	eors	r5, \before
	mov	\to, r5
	.endm

/* Theta's sums of the state at \from. */
	.macro	theta from
	parities \from
	movs	r6, #31
	sum	r8, r4, r1
	sum	r9, r0, r2
	sum	r10, r1, r3
	sum	r11, r2, r4
	sum	r12, r3, r0
	.endm

	.macro	rotate x, n
	.if	\n == 8
	rev16	\x, \x
	.elseif	\n != 0
	movs	r6, #32 - \n
	rors	\x, r6
	.endif
	.endm

/* \to = lane (x, y) of the state at \from after theta and rho: \d is the sum of column x, and \n
 * the distance modulo 16; if it is empty, it is that of the lane before. */
	.macro	lane to, from, x, y, d, n
	ldr	\to, [sp, #\from + 4 * (\x + 5 * \y)]
	mov	r5, \d
	eors	\to, r5
	.ifnb	\n
	rotate	\to, \n
	.else
	rors	\to, r6
	.endif
	.endm

/* Adds the next constant to r0. */
	.macro	iota
	ldr	r5, [sp, #CONSTANTS]
	ldmia	r5!, {r6}
	str	r5, [sp, #CONSTANTS]
	eors	r0, r6
	.endm

/* Adds the constant of the last round to r0. */
	.macro	iota_of_last
	movs	r5, #KECCAK400_LAST_CONSTANT
	lsls	r6, r5, #16
	orrs	r5, r6
	eors	r0, r5
	.endm

/* A round from the state at \from to the one at \to. */
	.macro	round from, to, constant
	theta	\from
	lane	r0, \from, 0, 0, r8, 0
	lane	r1, \from, 1, 1, r9, 12
	lane	r2, \from, 2, 2, r10, 11
	lane	r3, \from, 3, 3, r11, 5
	lane	r4, \from, 4, 4, r12, 14
	chi
	\constant
	store_plane \to, 0
	lane	r0, \from, 3, 0, r11, 12
	lane	r1, \from, 4, 1, r12, 4
	lane	r2, \from, 0, 2, r8, 3
	lane	r3, \from, 1, 3, r9, 13
	lane	r4, \from, 2, 4, r10
	chi
	store_plane \to, 1
	lane	r0, \from, 1, 0, r9, 1
	lane	r1, \from, 2, 1, r10, 6
	lane	r2, \from, 3, 2, r11, 9
	lane	r3, \from, 4, 3, r12, 8
	lane	r4, \from, 0, 4, r8, 2
	chi
	store_plane \to, 2
	lane	r0, \from, 4, 0, r12, 11
	lane	r1, \from, 0, 1, r8, 4
	lane	r2, \from, 1, 2, r9, 10
	lane	r3, \from, 2, 3, r10, 15
	lane	r4, \from, 3, 4, r11, 8
	chi
	store_plane \to, 3
	lane	r0, \from, 2, 0, r10, 14
	lane	r1, \from, 3, 1, r11, 7
	lane	r2, \from, 4, 2, r12
	lane	r3, \from, 0, 3, r8, 9
	lane	r4, \from, 1, 4, r9, 2
	chi
	store_plane \to, 4
	.endm

	.macro	begin name
function \name
	push	{r4-r7, lr}
	mov	r4, r8
	mov	r5, r9
	mov	r6, r10
	mov	r7, r11
	push	{r0, r4-r7}
	sub	sp, #FRAME
	mov	r12, r1
	mov	r6, r0
	add	r7, sp, #A
	copy_planes 5
	.endm

/* Copies the state at \from to the caller's, and returns. */
	.macro	finish name, from
	ldr	r7, [sp, #FRAME]
	add	r6, sp, #\from
	copy_planes 5
	add	sp, #FRAME + 4
	pop	{r4-r7}
	mov	r8, r4
	mov	r9, r5
	mov	r10, r6
	mov	r11, r7
	pop	{r4-r7, pc}
end_function \name
	.endm

/* void keccak400_permute(keccak400_state *state, uint8_t rounds); an even number of rounds */
begin keccak400_permute
	mov	r5, r12
	lsls	r5, r5, #2
	ldr	r6, .Lend_of_constants
	subs	r6, r6, r5
	str	r6, [sp, #CONSTANTS]
	b	.Lrounds
	.balign	4
.Lend_of_constants:
	.word	.Lconstants_end
.Lrounds:
	round	A, E, iota
	round	E, A, iota
	ldr	r5, [sp, #CONSTANTS]
	ldr	r5, [r5]
	cmp	r5, #0
	beq	1f
	b	.Lrounds
1:
finish keccak400_permute, A

	.section .rodata.keccak400_constants, "a", %progbits
	.balign	4
	.irp	constant, KECCAK400_CONSTANTS
	.word	\constant | (\constant << 16)
	.endr
.Lconstants_end:
	.word	0

#ifdef KECCAK_BIT_BY_BIT

/* Adds the next bit to bit 7 of the first lane of the state at \at. */
	.macro	add_bit at
	ldr	r0, [sp, #BITS]
	ldr	r1, [sp, #\at]
	lsls	r2, r0, #1
	str	r2, [sp, #BITS]
	lsrs	r0, r0, #31
	lsls	r0, r0, #7
	eors	r1, r0
	lsls	r0, r0, #16
	eors	r1, r0
	str	r1, [sp, #\at]
	.endm

/* void keccak400_absorb_bits(keccak400_state *state, const uint8_t *bits): 128 bits, with a round
 * after each but the last */
begin keccak400_absorb_bits
	mov	r5, r12
	movs	r6, #128
	str	r5, [sp, #BYTES]
	str	r6, [sp, #LEFT]
.Lbyte:
	ldr	r5, [sp, #BYTES]
	ldrb	r6, [r5]
	adds	r5, #1
	lsls	r6, r6, #24
	str	r5, [sp, #BYTES]
	str	r6, [sp, #BITS]
.Lbits:
	add_bit	A
	round	A, E, iota_of_last
	add_bit	E
	ldr	r5, [sp, #LEFT]
	subs	r5, #2
	str	r5, [sp, #LEFT]
	bne	1f
	b	2f
1:	round	E, A, iota_of_last
	ldr	r5, [sp, #LEFT]
	lsls	r5, r5, #29
	beq	1f
	b	.Lbits
1:	b	.Lbyte
2:
finish keccak400_absorb_bits, E

#endif

#endif
