/*
 * Keccak-p[400, n] for Armv7-M, in words that hold two copies of a lane.
 *
 * References: FIPS 202 (2015), sections 3.2 and 3.3; same names. G. Bertoni, J. Daemen, M. Peeters,
 * G. Van Assche, R. Van Keer, "Keccak implementation overview" (2012), section 2.5: processing in
 * place. "ISAP v2.0" (2021), algorithm 3, for keccak400_absorb_bits.
 *
 * Scheduling. As in keccak1600.S: delayed rotations (frames.h), planes stored where their lanes
 * were read, groups of loads that a store ends. A round consists of 101 logical instructions and
 * 57 loads and stores, each of one cycle. All five sums of theta stay in registers, two parities
 * of columns accumulate from the first plane on, the others from the fourth one. After four
 * rounds, all words are in place and rotated into place, without an instruction for it.
 *
 * Registers: R0 to R4 the last plane of a round, of y = 0, R8 to R12 the other planes' part of the
 * parities. Within a round, all registers are used for all purposes.
 *
 * Cycles of a call from C:
 *
 *                            20 rounds  8 rounds  keccak400_absorb_bits
 *   Cortex-M3, 0 wait states      3340      1423                  21600
 *   Cortex-M4, 0 wait states      3340      1423                  21600
 *   SAM3X8E                       4152      1758                  27725
 *   nRF52840                      3469      1486                  25397
 *
 * In C, 20 rounds take 5221 cycles on Cortex-M4 without wait states.
 */
#include "arm.h"

#if PW_ARMV7M

#include "api.h"
#include "constants.h"
#include "variant.h"

#define FRAMES 16
#define LOOP 4
#define MASK 0

/* The stack: the slots; the address of the next constants; for keccak400_absorb_bits, the next
 * bits, the first as the highest, the address of those behind them, and the number of loops that
 * are left. */
#define CONSTANTS 100
#define BITS 104
#define BYTES 108
#define LEFT 112
#define FRAME 116

#include "frames.h"

/* The parities of columns without y = 0. */
#define PARITY_0 r8
#define PARITY_1 r9
#define PARITY_2 r10
#define PARITY_3 r11
#define PARITY_4 r12

/* .Lslot is the place of lane (x, y) before round .Lround + \next. */
	.macro	slot x, y, next
	.set	.Lrow, \y
	.rept	.Lround + \next
	.set	.Lrow, (\x + 2 * .Lrow) % 5
	.endr
	.set	.Lslot, 5 * .Lrow + \x
	.endm

	.macro	load to, x, y
	slot	\x, \y, 0
	load_slot \to
	.endm

/* Stores lane (x, y) of the result. */
	.macro	store from, x, y
	slot	\x, \y, 1
	store_result \from
	.endm

/* The same for a result of the round before. */
	.macro	store_late from, x, y
	slot	\x, \y, 0
	store_slot \from
	.endm

	.macro	constant to, from
	ldr	\to, [\from, #4 * .Lround]
	.set	.Lframe_\to, 0
	.endm

/* A word after theta and rho, which rotates it by \n. */
	.macro	rho to, x, y, n, in_y=0
	add_in_frame 0, \n, \to, \x, \y, \in_y
	.endm

	.macro	round
	load	lr, 4, 4
	load	r6, 3, 2
	store_late	r0, 0, 0
	sum	r10, r10, r2, 0b0001
	load	r7, 3, 4
	load	r5, 0, 3
	store_late	r1, 1, 0
	sum	r8, r8, r0
	sum	r11, r11, r3
	sum	r5, r8, r5, 0b1000
	sum	r11, r11, r6
	sum	r8, r11, r7, 0b0100
	sum	r11, r12, r4
	load	r7, 0, 2
	load	r0, 4, 2
	store_late	r3, 3, 0
	sum	r7, r5, r7
	load	r3, 3, 3
	load	r5, 0, 4
	store_late	r4, 4, 0
	sum	r12, r7, r5, 0b0111
	sum	r8, r8, r3, 0b1000
	sum	r11, r11, lr
	load	r3, 2, 1
	load	r7, 1, 4
	load	r4, 4, 3
	store_late	r2, 2, 0
	sum	r2, r9, r1, 0b0100
	sum1	lr, r12, r10, 0b0011
	sum	r9, r11, r4
	sum	r0, r9, r0, 0b0111
	sum1	r9, r0, r2, 0b0100
	sum1	r10, r10, r0, 0b1101
	rho	r7, r7, lr, 2, 0b1001
	sum1	r0, r8, r12, 0b0011
	rho	r5, r5, r9, 2, 0b0010
	rho	r12, r4, r0, 8
	sum1	r11, r2, r8, 0b1110
	rho	r4, r6, r10, 9
	mask	r8, r12, r4
	rho	r3, r3, r11, 6, 0b0010
	sum	r2, r3, r8
	store	r2, 1, 2
	rho	r8, r1, lr, 1
	mask	r3, r3, r8
	sum	r1, r5, r3, 0b0001
	load	r3, 3, 1
	store	r1, 4, 2
	mask	r6, r5, r12
	mask	r5, r4, r2
	sum	r6, r4, r6, 0b1000
	store	r6, 2, 2
	mask	r4, r8, r1
	sum	r1, r8, r5
	rho	r8, r3, r10, 7
	sum	r4, r12, r4, 0b1000
	load	r5, 4, 2
	load	r3, 2, 0
	store	r1, 0, 2
	rho	r3, r3, r11, 14, 0b0110
	load	r1, 0, 3
	store	r4, 3, 2
	rho	r1, r1, r9, 9, 0b0110
	rho	r12, r5, r0, 7, 0b0001
	mask	r4, r7, r1
	sum	r4, r12, r4, 0b1001
	mask	r5, r12, r8
	sum	r12, r6, r4
	sum	r5, r3, r5, 0b0001
	mask	r6, r3, r7
	sum	r6, r1, r6, 0b1000
	store	r5, 0, 4
	mask	r3, r1, r4
	sum	r1, r8, r3
	mask	r5, r8, r5
	store	r6, 3, 4
	sum	r6, r7, r5, 0b0010
	load	r3, 0, 1
	load	r5, 2, 3
	load	r7, 1, 2
	store	r1, 1, 4
	rho	r3, r3, r9, 4
	store	r4, 2, 4
	sum	r4, r2, r1
	rho	r2, r7, lr, 10, 0b0010
	load	r1, 4, 0
	load	r7, 3, 4
	store	r6, 4, 4
	rho	r5, r5, r11, 15
	mask	r6, r5, r2
	sum	r6, r3, r6, 0b1100
	rho	r1, r1, r0, 11
	mask	r8, r3, r1
	rho	r7, r7, r10, 8, 0b0101
	sum	r3, r7, r8
	mask	r8, r1, r7
	store	r3, 4, 3
	sum	r5, r5, r8, 0b0110
	mask	r8, r2, r6
	mask	r7, r7, r5
	sum	r3, r2, r7, 0b1101
	sum	r4, r4, r6
	sum	r1, r1, r8, 0b0100
	load	r7, 2, 2
	store	r6, 1, 3
	sum	r12, r12, r3, 0b0001
	rho	r2, r7, r11, 11
	load	r6, 0, 2
	load	r7, 0, 0
	store	r5, 3, 3
	rho	r8, r6, r9, 3
	load	r5, 2, 4
	load	r6, 1, 3
	store	r3, 2, 3
	rho	r11, r5, r11, 13, 0b1000
	rho	r7, r7, r9, 0
	rho	r9, r6, lr, 13, 0b0100
	load	r6, 4, 4
	load	r3, 1, 1
	load	r5, 4, 1
	store	r1, 0, 3
	rho	r1, r5, r0, 4, 0b0001
	mask	r5, r11, r9
	rho	lr, r3, lr, 12
	sum	r5, r8, r5, 0b1000
	rho	r3, r6, r0, 14, 0b1011
	load	r6, 3, 3
	load	r0, 3, 0
	store	r5, 2, 1
	rho	r6, r6, r10, 5, 0b1011
	rho	r0, r0, r10, 12, 0b0001
	mask	r8, r8, r1
	sum	r10, r12, r5
	mask	r12, r1, r0
	sum	r12, r11, r12, 0b0001
	mask	r5, r9, r5
	sum	r5, r1, r5, 0b1000
	mask	r1, r0, r12
	sum	r8, r0, r8
	mask	r0, r2, lr
	sum	r11, r9, r1, 0b1001
	mask	r1, r3, r6
	sum	r9, r4, r5
	sum	r2, r2, r1, 0b1100
	store	r12, 4, 1
	sum	r0, r7, r0, 0b0010
	ldr	r1, [sp, #CONSTANTS]
	store	r5, 1, 1
	mask	r4, lr, r0
	constant	r5, r1
	store	r11, 3, 1
	mask	r1, r6, r2
	sum	r0, r0, r5, 0b1000
	sum	r4, r3, r4, 0b1100
	mask	r7, r7, r3
	store	r8, 0, 1
	sum	r3, r6, r7, 0b0100
	sum	r1, lr, r1, 0b0111
	.set	.Lround, .Lround + 1
	.endm

	.macro	begin name
function \name
	push	{r0, r4-r11, lr}
	sub	sp, #FRAME
	mov	r6, r1
	add	lr, r0, #20
	add	r7, sp, #20
	copy	PARITY_0, PARITY_1, PARITY_2, PARITY_3, PARITY_4
	.rept	3
	copy	r1, r2, r3, r4, r5
	eor	PARITY_1, PARITY_1, r2
	eor	PARITY_2, PARITY_2, r3
	.endr
	ldm	r0, {r0-r4}
	begin_frames 0, 24, r0, r1, r2, r3, r4, r8, r9, r10, r11, r12
	.endm

/* void keccak400_permute(keccak400_state *state, uint8_t rounds); a multiple of four rounds */
begin keccak400_permute
	movw	r5, #:lower16:.Lconstants_end
	movt	r5, #:upper16:.Lconstants_end
	sub	r5, r5, r6, lsl #2
	str	r5, [sp, #CONSTANTS]
	.balign	4
.Lrounds:
	.rept	LOOP
	round
	.endr
	settle_all
	next_rounds 4 * LOOP, 25
	ldr	lr, [sp, #FRAME]
	add	r7, sp, #20
	stm	lr!, {r0-r4}
	.rept	2
	ldm	r7!, {r0-r6, r8-r10}
	stm	lr!, {r0-r6, r8-r10}
	.endr
	add	sp, #FRAME + 4
	pop	{r4-r11, pc}
end_function keccak400_permute

	.macro	constant_words constants:vararg
	.irp	constant, \constants
	.word	\constant | (\constant << 16)
	.endr
	.endm

/* The table ends at a multiple of 128. */
	.section .rodata.keccak400_constants, "a", %progbits
	.balign	128
	.skip	48
	constant_words KECCAK400_CONSTANTS
.Lconstants_end:

#ifdef KECCAK_BIT_BY_BIT

	.section .rodata.keccak400_last_constants, "a", %progbits
	.balign	4
.Llast_constants:
	.rept	LOOP
	constant_words KECCAK400_LAST_CONSTANT
	.endr

/* Adds the next bit to bit 7 of lane (0, 0). */
	.macro	add_bit
	ldr	r5, [sp, #BITS]
	lsls	r6, r5, #1
	str	r6, [sp, #BITS]
	and	r5, r5, #0x80000000
	eor	r0, r0, r5, ror #8 + (.Lframe_r0 & 15)
	eor	r0, r0, r5, ror #(24 + (.Lframe_r0 & 15)) & 31
	.endm

/* Stores a lane in the caller's state, at lr. */
	.macro	put_in_place from, x, y
	.if	.Lframe_\from & (FRAMES - 1)
	ror	r5, \from, #(-.Lframe_\from) & (FRAMES - 1)
	str	r5, [lr, #4 * (\x + 5 * \y)]
	.else
	str	\from, [lr, #4 * (\x + 5 * \y)]
	.endif
	.endm

/* void keccak400_absorb_bits(keccak400_state *state, const uint8_t *bits): 128 bits, with a round
 * after each but the last */
begin keccak400_absorb_bits
	movw	r5, #:lower16:.Llast_constants
	movt	r5, #:upper16:.Llast_constants
	movs	r7, #128 / LOOP
	str	r5, [sp, #CONSTANTS]
	str	r7, [sp, #LEFT]
	b	.Lword
	.balign	4
.Lword:
	ldr	r5, [r6], #4
	str	r6, [sp, #BYTES]
	rev	r5, r5
	str	r5, [sp, #BITS]
.Lbits:
	.rept	LOOP - 1
	add_bit
	round
	.endr
	add_bit
	ldr	r5, [sp, #LEFT]
	subs	r5, #1
	str	r5, [sp, #LEFT]
	bne	1f

	ldr	lr, [sp, #FRAME]
	put_in_place r0, 0, 0
	put_in_place r1, 1, 0
	put_in_place r2, 2, 0
	put_in_place r3, 3, 0
	put_in_place r4, 4, 0
	.irp	y, 1, 2, 3, 4
	.irp	x, 0, 1, 2, 3, 4
	load	r6, \x, \y
	put_in_place r6, \x, \y
	.endr
	.endr
	add	sp, #FRAME + 4
	pop	{r4-r11, pc}

1:	round
	settle_all
	ldr	r5, [sp, #LEFT]
	ldr	r6, [sp, #BYTES]
	lsls	r5, r5, #29
	bne	.Lbits
	b	.Lword
end_function keccak400_absorb_bits

#endif

#endif
