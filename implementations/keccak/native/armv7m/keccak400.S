/*
 * Keccak-p[400, n] for Armv7-M, in words that hold two copies of a lane.
 *
 * References: FIPS 202 (2015), sections 3.2 and 3.3; same names. G. Bertoni, J. Daemen, M. Peeters,
 * G. Van Assche, R. Van Keer, "Keccak implementation overview" (2012), section 2.5: processing in
 * place. "ISAP v2.0" (2021), algorithm 3, for keccak400_absorb_bits.
 *
 * Scheduling. As in keccak1600.S: delayed rotations (frames.h), planes stored where their lanes
 * were read, groups of loads that a store ends. A round (in_place.h) consists of 101 logical
 * instructions and 57 loads and stores, each of one cycle. All five sums of theta stay in
 * registers, two parities of columns accumulate from the first plane on, the others from the fourth
 * one. After four rounds, all words are in place and rotated into place, without an instruction for
 * it.
 *
 * Registers: R0 to R4 the last plane of a round, of y = 0, R8 to R12 the other planes' part of the
 * parities. Within a round, all registers are used for all purposes.
 *
 * Cycles of a call from C:
 *
 *                            20 rounds  8 rounds  keccak400_absorb_bits
 *   Cortex-M3, 0 wait states      3339      1422                  21600
 *   Cortex-M4, 0 wait states      3339      1422                  21600
 *   SAM3X8E                       4018      1702                  26647
 *   RP2350 (Cortex-M33)           3337      1411                  21724
 *   nRF52840                      3464      1484                  25334
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

#include "in_place.h"

	.macro	begin name
function \name
	push	{r0, r4-r11, lr}
	sub	sp, #FRAME
	add	lr, r0, #20
	add	r7, sp, #20
	copy	PARITY_0, PARITY_1, PARITY_2, PARITY_3, PARITY_4
	mov	r6, r1
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
	and	r5, r5, #0x80000000
	str	r6, [sp, #BITS]
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
