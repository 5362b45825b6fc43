/*
 * Keccak-f[200] of four states for Armv7-M, in words with a lane of each, interleaved.
 *
 * References: FIPS 202 (2015), section 3.3; same names.
 *
 * Scheduling. The rounds of keccak400.S (in_place.h), with lanes of 8 bits instead of 16: rotating
 * a lane by n is rotating a word by 4 n. 18 rounds begin in the middle of a loop of four, so that
 * all words are in place at the end. A table has each lane's slot and frame at the beginning. The
 * states are interleaved and separated five words at a time.
 *
 * Registers: R0 to R4 the last plane of a round, of y = 0, R8 to R12 the other planes' part of the
 * parities. Within a round, all registers are used for all purposes.
 *
 * Cycles of a call from C:
 *
 *                            assembly     C
 *   Cortex-M3, 0 wait states     3848  6678
 *   Cortex-M4, 0 wait states     3848  6750
 *   SAM3X8E                      4734  8495
 *   RP2350 (Cortex-M33)          4082  6045
 *   nRF52840                     4168  6963
 */
#include "arm.h"

#if PW_ARMV7M

#include "constants.h"

#define FRAMES 8
#define STEP 4
#define LOOP 4
#define MASK 0

/* The stack: the slots; the address of the next constants; that of the states. */
#define CONSTANTS 100
#define STATES 104

#include "in_place.h"
#include "nibbles.h"

/* Keeps the frames of registers and slots before the round in the middle. */
	.macro	keep_middle
	.irp	word, r0, r1, r2, r3, r4, r8, r9, r10, r11, r12
	.set	.Lmiddle_\word, .Lframe_\word
	.endr
	.altmacro
	keep_slots 0
	.noaltmacro
	.endm

	.macro	keep_slots first
	.set	.Lmiddle_of_\first, .Lframe_of_\first
	.if	24 - \first
	keep_slots %\first + 1
	.endif
	.endm

	.macro	restore_slots first
	.set	.Lframe_of_\first, .Lmiddle_of_\first
	.if	24 - \first
	restore_slots %\first + 1
	.endif
	.endm

/* Loads a parity, or a part of it. */
	.macro	parity to, x, more:vararg
	load	\to, \x, 1
	.ifnb	\more
	.irp	y, \more
	load	r5, \x, \y
	sum	\to, \to, r5
	.endr
	.endif
	.if	(.Lmiddle_\to - .Lframe_\to) & (FRAMES - 1)
	ror	\to, \to, #STEP * ((.Lmiddle_\to - .Lframe_\to) & (FRAMES - 1))
	.endif
	.endm

/* The slot of a lane, and the distance of its frame. */
	.macro	beginning x, y, frame
	.byte	4 * .Lslot, STEP * ((\frame) & (FRAMES - 1))
	.endm

	.macro	beginning_in_slot x, y, slot
	beginning \x, \y, .Lmiddle_of_\slot
	.endm

/* void keccak200_permute4(uint32_t *states) */
section_for keccak200_permute4
	begin_frames 0, 24, r0, r1, r2, r3, r4, r8, r9, r10, r11, r12
.Lrounds:
	round
	round
	keep_middle
.Lmiddle:
	round
	round
	settle_all
	next_rounds 4 * LOOP, 25

	mov	r7, sp
	stm	r7, {r0-r4}
	ldr	r0, [sp, #STATES]
	movs	r6, #5
	movw	r8, #0xaaaa
1:	ldm	r7!, {r1-r5}
	.irp	word, r1, r2, r3, r4, r5
	separate \word, r8, r9
	.endr
	subs	r6, #1
	stm	r0!, {r1-r5}
	bne	1b
	add	sp, #STATES + 4
	pop	{r4-r11, pc}

entry keccak200_permute4
	push	{r0, r4-r11, lr}
	sub	sp, #STATES
	movw	r7, #:lower16:.Lbeginnings
	movt	r7, #:upper16:.Lbeginnings
	movs	r6, #5
	movw	r8, #0xaaaa
1:	ldm	r0!, {r1-r5}
	.irp	word, r1, r2, r3, r4, r5
	interleave \word, r8, r9
	ldrb	r9, [r7], #1
	ldrb	r10, [r7], #1
	ror	\word, \word, r10
	str	\word, [sp, r9]
	.endr
	subs	r6, #1
	bne	1b
	movw	r5, #:lower16:.Lconstants - 8
	movt	r5, #:upper16:.Lconstants - 8
	str	r5, [sp, #CONSTANTS]

	.set	.Lround, 2
	.altmacro
	restore_slots 0
	.noaltmacro
	parity	PARITY_0, 0
	parity	PARITY_1, 1, 2, 3, 4
	parity	PARITY_2, 2, 2, 3, 4
	parity	PARITY_3, 3
	parity	PARITY_4, 4
	load	r0, 0, 0
	load	r1, 1, 0
	load	r2, 2, 0
	load	r3, 3, 0
	load	r4, 4, 0
	b	.Lmiddle
end_function keccak200_permute4

	.section .rodata.keccak200_permute4, "a", %progbits
	.balign	128
	.skip	56
.Lconstants:
	nibble_words 15, KECCAK200_CONSTANTS
.Lbeginnings:
	.irp	x, 0, 1, 2, 3, 4
	slot	\x, 0, 0
	beginning \x, 0, .Lmiddle_r\x
	.endr
	.irp	y, 1, 2, 3, 4
	.irp	x, 0, 1, 2, 3, 4
	slot	\x, \y, 0
	.altmacro
	beginning_in_slot \x, \y, %.Lslot
	.noaltmacro
	.endr
	.endr

#endif
