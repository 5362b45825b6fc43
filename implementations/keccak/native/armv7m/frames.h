/*
 * Shared by Keccak's assembly for Armv7-M: words whose rotations are delayed.
 *
 * References: H. Becker, M. Kannwischer, "Hybrid scalar/vector implementations of Keccak and
 * SPHINCS+ on AArch64" (INDOCRYPT 2022), on lazy rotations; Armv7-M Architecture Reference Manual
 * (Arm DDI 0403), A5.3.11: operands that are rotated.
 *
 * A register or slot has a frame: the distance by which its word must be rotated left to be in
 * place. The assembler tracks it in the symbols .Lframe_<register> and .Lframe_of_<slot>. An
 * operation on two words rotates one of them to the frame of the other, at no cost. `in_y` is a
 * mask of rounds in which the result has the frame of the second word.
 *
 * The includer defines FRAMES, the number of different frames, STEP, the bits from one to the next
 * (1 by default), LOOP, the number of rounds in the loop, MASK, the position of the loop's masks in
 * `in_y`, and CONSTANTS, where the stack has the address of the next constants.
 */
#ifndef PENNYWEIGHT_KECCAK_NATIVE_ARMV7M_FRAMES_H
#define PENNYWEIGHT_KECCAK_NATIVE_ARMV7M_FRAMES_H

#ifndef STEP
#define STEP 1
#endif

/* clang-format off */

/* The round in the loop. */
	.set	.Lround, 0

	.macro	frame_of_slot register, slot
	.set	.Lframe_\register, .Lframe_of_\slot
	.endm

	.macro	frame_to_slot register, slot
	.set	.Lframe_of_\slot, .Lframe_\register
	.endm

/* Loads a word of the state from slot .Lslot. */
	.macro	load_slot to
	ldr	\to, [sp, #4 * .Lslot]
	.altmacro
	frame_of_slot \to, %.Lslot
	.noaltmacro
	.endm

	.macro	store_slot from
	str	\from, [sp, #4 * .Lslot]
	.altmacro
	frame_to_slot \from, %.Lslot
	.noaltmacro
	.endm

/* Rotates a word into place. */
	.macro	settle word
	.if	.Lframe_\word & (FRAMES - 1)
	ror	\word, \word, #STEP * ((-.Lframe_\word) & (FRAMES - 1))
	.endif
	.set	.Lframe_\word, 0
	.endm

	.macro	settle_all
	.irp	word, r0, r1, r2, r3, r4, r8, r9, r10, r11, r12
	settle	\word
	.endr
	.endm

/* Stores a result of the round; the last round of the loop leaves all words in place. */
	.macro	store_result from
	.if	.Lround == LOOP - 1
	settle	\from
	.endif
	store_slot \from
	.endm

/* Begins a loop with all words in place; slots are numbered from \first to \last. */
	.macro	begin_frames first, last, words:vararg
	.set	.Lround, 0
	.altmacro
	slots_in_place \first, \last
	.noaltmacro
	.irp	word, \words
	.set	.Lframe_\word, 0
	.endr
	.endm

	.macro	slots_in_place first, last
	.set	.Lframe_of_\first, 0
	.if	\last - \first
	slots_in_place %\first + 1, \last
	.endif
	.endm

/* Runs the loop again with the next constants, which end at a multiple of 2^(32 - \bits) bytes. */
	.macro	next_rounds bytes, bits
	ldr	r5, [sp, #CONSTANTS]
	adds	r5, #\bytes
	str	r5, [sp, #CONSTANTS]
	lsls	r6, r5, #\bits
	bne	.Lrounds
	.endm

	.macro	add_rotated to, x, y, distance
	.if	(\distance) & (FRAMES - 1)
	eor	\to, \x, \y, ror #STEP * ((\distance) & (FRAMES - 1))
	.else
	eors	\to, \x, \y
	.endif
	.endm

/* \to = (\x ^ \y <<< \by) <<< \then */
	.macro	add_in_frame by, then, to, x, y, in_y
	.if	(\in_y) >> (.Lround + MASK) & 1
	add_rotated \to, \y, \x, .Lframe_\y + \by - .Lframe_\x
	.set	.Lframe_\to, .Lframe_\y + \by + \then
	.else
	add_rotated \to, \x, \y, .Lframe_\x - .Lframe_\y - \by
	.set	.Lframe_\to, .Lframe_\x + \then
	.endif
	.endm

	.macro	sum to, x, y, in_y=0
	add_in_frame 0, 0, \to, \x, \y, \in_y
	.endm

/* Rotates \y left by 1. */
	.macro	sum1 to, x, y, in_y=0
	add_in_frame 1, 0, \to, \x, \y, \in_y
	.endm

/* \to = \x & ~\y */
	.macro	mask to, x, y
	.if	(.Lframe_\x - .Lframe_\y) & (FRAMES - 1)
	bic	\to, \x, \y, ror #STEP * ((.Lframe_\x - .Lframe_\y) & (FRAMES - 1))
	.else
	bics	\to, \x, \y
	.endif
	.set	.Lframe_\to, .Lframe_\x
	.endm

/* Copies five words from lr to r7. */
	.macro	copy registers:vararg
	ldm	lr!, {\registers}
	stm	r7!, {\registers}
	.endm

/* clang-format on */

#endif
