/*
 * Keccak-p[200, n] for Armv7-M, with the whole state in registers.
 *
 * References: FIPS 202 (2015), sections 3.2 and 3.3; same names. H. Becker, M. Kannwischer, "Hybrid
 * scalar/vector implementations of Keccak and SPHINCS+ on AArch64" (INDOCRYPT 2022), on lazy
 * rotations.
 *
 * Representation. W0 to W4 have the planes y = 1 to 4: nibble z of Wx is bit z of the lanes (x, 1),
 * (x, 3), (x, 2) and (x, 4), the last as the highest. Z0 to Z4 have the plane y = 0: bit 4 z of Zx
 * is bit z of lane (x, 0), the other bits are zero. So a rotation of a word by 4 n rotates its
 * lanes by n, and one by less moves a lane to another bit of the nibbles.
 *
 * Scheduling. Instructions with a rotated operand do both at no cost. Rotations are delayed
 * (frames.h): the frames of all ten words are the same before each round.
 *
 *   Theta  40  a parity folds a word; D is the same for the four lanes of a word, so it is added
 *              before the column's own parity is known
 *   Rho    35  pi moves lanes of plane y to column y: the lane (x, y) is taken out of Wx by its
 *   and pi     mask and joined with the three others of its new word in W0 to W4, or is alone in
 *              Z0 to Z4
 *   Chi    20  four planes at a time
 *   Iota    1
 *
 * All 96 are logical instructions of one cycle. The only loads and stores of a round are for the
 * constant. There are no spills: 14 registers are exactly enough.
 *
 * Registers: those of the state between rounds are below; r2, r3, r6 and r7 are temporary. Within a
 * round, all are used for all purposes; the assignment was found by random search. The order of the
 * instructions was found with `make schedule` for the Cortex-M33, where the result of an
 * instruction with a rotated operand is ready a cycle late.
 *
 * Cycles of a call from C, 18 rounds:
 *
 *                            assembly     C
 *   Cortex-M3, 0 wait states     2047  3002
 *   Cortex-M4, 0 wait states     2047  2506
 *   SAM3X8E                      2515  4099
 *   RP2350 (Cortex-M33)          2224  2874
 *   nRF52840                     2083  2544
 *
 * 200 of them convert the state from bytes and back.
 */
#include "arm.h"

#if PW_ARMV7M

#include "constants.h"

#define FRAMES 32
#define LOOP 1
#define MASK 0

/* Rounds in the loop. */
#define ROUNDS 3

/* KECCAK200_LAST_CONSTANT, of which bit 7 is in nibble 7. It ends the loop. */
#define LAST_CONSTANT (KECCAK200_LAST_CONSTANT << 21)

/* On the stack: the address of the next constant. */
#define CONSTANTS 4

#include "frames.h"
#include "nibbles.h"

/* The state between rounds. */
#define W0 r11
#define W1 r1
#define W2 r12
#define W3 lr
#define W4 r10
#define Z0 r8
#define Z1 r4
#define Z2 r5
#define Z3 r9
#define Z4 r0

/* Sets the frame of a word. */
	.macro	set_frame word, frame
	.set	.Lframe_\word, (\frame) & (FRAMES - 1)
	.endm

/* Rotates a word into a frame. */
	.macro	settle_in word, frame
	.if	((\frame) - .Lframe_\word) & (FRAMES - 1)
	ror	\word, \word, #((\frame) - .Lframe_\word) & (FRAMES - 1)
	.endif
	set_frame \word, \frame
	.endm

/* The frames before each round, which the round before leaves: there, this is no instruction. */
	.macro	settle_state
	settle_in W0, 16
	settle_in W1, 4
	settle_in W2, 26
	settle_in W3, 22
	settle_in W4, 20
	settle_in Z0, 0
	settle_in Z1, 20
	settle_in Z2, 4
	settle_in Z3, 0
	settle_in Z4, 20
	.endm

/* Moves bit \at of each nibble to bit \to of the one \n nibbles above. */
	.macro	move word, at, n, to
	set_frame \word, .Lframe_\word + 4 * (\n) + (\to) - (\at)
	.endm

/* Moves only this bit, and leaves the other bits zero. */
	.macro	take to, from, at, n, new
	and	\to, \from, #0x11111111 << (((\at) - .Lframe_\from) & 3)
	set_frame \to, .Lframe_\from
	move	\to, \at, \n, \new
	.endm

/* Adds bits to a word that has zeros there. */
	.macro	join to, from
	.if	(.Lframe_\to - .Lframe_\from) & (FRAMES - 1)
	orr	\to, \to, \from, ror #(.Lframe_\to - .Lframe_\from) & (FRAMES - 1)
	.else
	orrs	\to, \from
	.endif
	.endm

/* Moves bit 0 of the nibbles of \to by \turn nibbles, and joins bits 0 of another word, moved. */
	.macro	join_moved to, turn, from, n, new
	move	\to, 0, \turn, 0
	move	\from, 0, \n, \new
	join	\to, \from
	.endm

/* The parity of a column's bits y = 1 to 4, in bits 0, 4, ... of the register, in two steps. */
	.macro	fold to, w
	eor	\to, \w, \w, ror #2 + 14 * (.Lframe_\w & 2)
	set_frame \to, .Lframe_\w
	.endm

	.macro	fold_again word
	eor	\word, \word, \word, ror #1 + 30 * (.Lframe_\word & 1)
	set_frame \word, .Lframe_\word & ~3
	.endm

/* \to = \x ^ \y <<< 4 */
	.macro	sum4 to, x, y, in_y=0
	add_in_frame 4, 0, \to, \x, \y, \in_y
	.endm

	.macro	clean word
	and	\word, \word, #0x11111111
	.endm

/* Copies bits 0, 4, ... to the whole nibble. */
	.macro	spread word
	rsb	\word, \word, \word, lsl #4
	.endm

	.macro	round
/* Theta. */
	fold	r6, r11
	fold	r7, r12
	fold_again r6
	fold_again r7
	sum	r6, r6, r8
	sum	r7, r7, r5
	fold	r2, r1
	sum4	r3, r6, r7, 1
	fold_again r2
	clean	r3
	sum	r2, r2, r4
	sum	r4, r4, r3
	spread	r3
	sum	r1, r1, r3
	fold	r3, r10
	fold_again r3
	sum	r3, r3, r0
	sum4	r7, r7, r3, 1
	sum4	r3, r3, r2, 1
	clean	r3
	sum	r8, r8, r3
	spread	r3
	sum	r11, r11, r3
	fold	r3, lr
	clean	r7
	fold_again r3
	sum	r3, r3, r9
	sum	r9, r9, r7
	sum4	r2, r2, r3
	spread	r7
	clean	r2
	sum	lr, lr, r7
	sum	r5, r5, r2
	spread	r2
	sum4	r6, r3, r6, 1
	clean	r6
	sum	r0, r0, r6
	spread	r6
	sum	r12, r12, r2

/* Rho and pi for the plane y = 0. */
	join_moved r9, 4, r4, 1, 2
	sum	r7, r10, r6
	join_moved r9, 0, r5, 6, 3
	take	r4, r11, 1, 1, 3
	join_moved r9, 0, r0, 3, 1

/* Rho and pi for the others. */
	take	r3, lr, 1, 5, 0
	take	r0, r12, 1, 7, 1
	join	r4, r0
	take	r5, r1, 1, 5, 0
	join	r4, r5
	take	r0, r7, 1, 0, 2
	join	r4, r0
	take	r2, r11, 2, 3, 0
	take	r0, lr, 2, 1, 2
	join	r2, r0
	take	r6, r1, 2, 2, 1
	join	r2, r6
	take	r6, r7, 2, 7, 3
	join	r2, r6
	take	r6, r1, 0, 4, 0
	take	r10, r7, 0, 4, 0
	take	r0, r11, 0, 4, 1
	join	r10, r0
	take	r0, r12, 0, 6, 2
	join	r10, r0
	take	r0, lr, 0, 7, 3
	join	r10, r0
	take	lr, lr, 3, 0, 1
	take	r0, r12, 3, 5, 0
	join	lr, r0
	take	r11, r11, 3, 2, 2
	join	lr, r11
	take	r1, r1, 3, 2, 3
	join	lr, r1
	take	r5, r12, 2, 3, 0

/* Chi. */
	mask	r0, lr, r4
	take	r7, r7, 3, 6, 0
	sum	r12, r2, r0
	mask	r0, r4, r2
	mask	r2, r2, r10
	sum	r1, r10, r0
	mask	r10, r10, r9
	sum	r11, r9, r2
	sum	r10, lr, r10
	mask	lr, r9, lr
	mask	r0, r8, r7
	sum	lr, r4, lr
	mask	r4, r6, r8
	sum	r9, r3, r0, 1
	sum	r0, r7, r4, 1
	mask	r4, r5, r6
	sum	r8, r8, r4
	mask	r4, r3, r5
	mask	r3, r7, r3
	sum	r5, r5, r3

/* Iota. */
	ldr	r3, [sp, #CONSTANTS]
	ldr	r2, [r3], #4
	str	r3, [sp, #CONSTANTS]
	sum	r4, r6, r4
	eor	Z0, Z0, r2
	.endm

/* Exchanges the upper half of \a with the lower one of \b. */
	.macro	exchange_halves a, b, x
	lsr	\x, \a, #16
	bfi	\a, \b, #16, #16
	bfi	\b, \x, #0, #16
	.endm

/* void keccak200_permute(uint8_t *state, uint8_t rounds); a multiple of three rounds */
function keccak200_permute
	push	{r0, r1, r4-r11, lr}
	movw	r2, #:lower16:.Lconstants_end
	movt	r2, #:upper16:.Lconstants_end
	sub	r2, r2, r1, lsl #2
	str	r2, [sp, #CONSTANTS]

	ldr	W0, [r0, #5]
	ldr	W1, [r0, #10]
	ldr	W2, [r0, #15]
	ldr	W3, [r0, #20]
	ldr	r2, [r0]
	ldrb	W4, [r0, #9]
	ldrb	r3, [r0, #14]
	ldrb	r4, [r0, #19]
	ldrb	r5, [r0, #24]
	ldrb	Z4, [r0, #4]
	orr	W4, W4, r3, lsl #8
	orr	W4, W4, r4, lsl #16
	orr	W4, W4, r5, lsl #24

/* W0 to W3 from bytes of a plane to those of a column, interleaved. */
	movw	r6, #0xaaaa
	exchange W0, W2, 1, 0x55555555, r7
	exchange W1, W3, 1, 0x55555555, r7
	exchange W0, W2, 4, 0x0f0f0f0f, r7
	exchange W1, W3, 4, 0x0f0f0f0f, r7
	exchange_halves W0, W2, r7
	exchange_halves W1, W3, r7
	exchange W0, W1, 2, 0x33333333, r7
	exchange W2, W3, 2, 0x33333333, r7
	exchange W0, W1, 8, 0x00ff00ff, r7
	exchange W2, W3, 8, 0x00ff00ff, r7

	interleave W4, r6, r7
	interleave r2, r6, r7

/* Bit n of Z4 to bit 4 n. */
	orr	Z4, Z4, Z4, lsl #12
	and	Z4, Z4, #0x000f000f
	orr	Z4, Z4, Z4, lsl #6
	and	Z4, Z4, #0x03030303
	orr	Z4, Z4, Z4, lsl #3
	and	Z4, Z4, #0x11111111

	.irp	word, r0, r1, r2, r10, r11, r12, lr
	set_frame \word, 0
	.endr
	take	Z0, r2, 0, 0, 0
	take	Z1, r2, 2, 0, 0
	take	Z2, r2, 1, 0, 0
	take	Z3, r2, 3, 0, 0
	settle_state
	.balign	16
.Lrounds:
	.rept	ROUNDS
	round
	.endr
	settle_state
	cmp	r2, #LAST_CONSTANT
	bne	.Lrounds

	.irp	word, r0, r1, r10, r11, r12, lr
	settle_in \word, 0
	.endr
	move	Z1, 0, 0, 2
	move	Z2, 0, 0, 1
	move	Z3, 0, 0, 3
	join	Z0, Z1
	join	Z0, Z2
	join	Z0, Z3

	orr	Z4, Z4, Z4, lsr #3
	and	Z4, Z4, #0x03030303
	orr	Z4, Z4, Z4, lsr #6
	and	Z4, Z4, #0x000f000f
	orr	Z4, Z4, Z4, lsr #12

	movw	r6, #0xaaaa
	separate Z0, r6, r7
	separate W4, r6, r7

	exchange W0, W1, 8, 0x00ff00ff, r7
	exchange W2, W3, 8, 0x00ff00ff, r7
	exchange W0, W1, 2, 0x33333333, r7
	exchange W2, W3, 2, 0x33333333, r7
	exchange_halves W0, W2, r7
	exchange_halves W1, W3, r7
	exchange W0, W2, 4, 0x0f0f0f0f, r7
	exchange W1, W3, 4, 0x0f0f0f0f, r7
	exchange W0, W2, 1, 0x55555555, r7
	exchange W1, W3, 1, 0x55555555, r7

	ldr	r2, [sp]
	str	Z0, [r2]
	strb	Z4, [r2, #4]
	str	W0, [r2, #5]
	str	W1, [r2, #10]
	str	W2, [r2, #15]
	str	W3, [r2, #20]
	lsr	r3, W4, #8
	lsr	r4, W4, #16
	lsr	r5, W4, #24
	strb	W4, [r2, #9]
	strb	r3, [r2, #14]
	strb	r4, [r2, #19]
	strb	r5, [r2, #24]
	add	sp, #8
	pop	{r4-r11, pc}
end_function keccak200_permute

	.section .rodata.keccak200_constants, "a", %progbits
	.balign	4
	nibble_words 1, KECCAK200_CONSTANTS
.Lconstants_end:

#endif
