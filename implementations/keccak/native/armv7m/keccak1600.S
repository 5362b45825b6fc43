/*
 * Keccak-f[1600] with interleaved bits, for Armv7-M.
 *
 * References: FIPS 202 (2015), sections 3.2 and 3.3; same names. G. Bertoni, J. Daemen, M.
 * Peeters, G. Van Assche, R. Van Keer, "Keccak implementation overview" (2012), sections 2.1 (bit
 * interleaving) and 2.5 (processing in place). H. Becker, M. Kannwischer, "Hybrid scalar/vector
 * implementations of Keccak and SPHINCS+ on AArch64" (INDOCRYPT 2022): lazy rotations.
 *
 * Scheduling. A round consists of 202 logical instructions, each of one cycle, and 139 loads and
 * stores, which also take one cycle each: a load overlaps with the load or store behind it, so
 * loads come in groups that a store ends.
 *
 * Half a plane (the even or the odd bits) passes chi in seven registers. In the other seven, sums
 * of theta stay from one use to the next, and parities of columns for the next round accumulate.
 * Which of them get the registers, the order of the ten halves, the order of the instructions and
 * their registers were found by search, with these counts as the cost. Of 50 uses of sums, 13 load
 * them, and parities need 20 loads. `make schedule` then found an order in which results are not
 * used at once (Cortex-M33) and short instructions are between long ones (SAM3X8E).
 *
 * No instruction rotates a word alone. Its frame, the distance by which it is rotated back, is a
 * number that the assembler tracks: the symbols .Lframe_*. An exclusive or rotates one of its
 * operands to the frame of the other. By default it is the second; in the rounds of a mask, it is
 * the first. The masks were found by search, too. With them, all words are in place after four
 * rounds, where a loop ends.
 *
 * A round stores a half of a plane where it read that half's lanes. After four rounds, lanes and
 * halves are in their own places again. With KECCAK1600_SMALL, for cores with a code cache, the
 * loop has two rounds between two copies of the state, and 13 words are rotated at its end.
 *
 * Registers: R8 to R12 parities of columns between rounds. Within a round, all registers are used
 * for all purposes; those that are loaded or stored are mostly lower ones, for which these
 * instructions are short.
 *
 * Cycles of a call of keccak1600_permute from C:
 *
 *                                  here  with KECCAK1600_SMALL    in C
 *   Cortex-M3, 0 wait states       8529                   8787   13973
 *   Cortex-M4, 0 wait states       8529                   8787   13157
 *   STM32F103 at 72 MHz           10468                  10818
 *   STM32F407 at 168 MHz          10267                  10496
 *   SAM3X8E                       10393                  10894   18339
 *   RP2350 (Cortex-M33)            8637                   8871   12049
 *   nRF52840                      11946                   9465   13255
 *   flash                        4.8 KB                 2.8 KB
 */
#include "arm.h"

#if PW_ARMV7M

#include "api.h"

/* The loop, and slots of words on the stack. */
#define FRAMES 32
#ifdef KECCAK1600_SMALL
#define LOOP 2
#define MASK 4
#define SLOTS 100
#else
#define LOOP 4
#define MASK 0
#define SLOTS 50
#endif

/* The stack: the slots; theta's sums and parts of parities that have no register; the address of
 * the next constants. */
#define SUMS 4 * SLOTS
#define PARTS SUMS + 40
#define CONSTANTS SUMS + 60
#define FRAME SUMS + 64

#include "frames.h"

/* The parities of columns for even bits, or the parts of them that a round leaves. */
#define EVEN_0 r8
#define EVEN_1 r9
#define EVEN_2 r10
#define EVEN_3 r11
#define EVEN_4 r12

/* Whether rho rotates lane (x, y) by an odd distance: bit x + 5 y. */
	.set	.Lodd_distances, 0b0010001111111010100010010

/* .Lslot is the place of half a lane before round .Lround + \next. */
	.macro	slot x, y, half, next
#ifdef KECCAK1600_SMALL
	.set	.Lslot, 50 * ((.Lround + \next) & 1) + 25 * \half + 5 * \y + \x
#else
	.set	.Lrow, \y
	.set	.Lslot, \half
	.rept	.Lround + \next
	.set	.Lrow, (\x + 2 * .Lrow) % 5
	.set	.Lslot, .Lslot ^ (.Lodd_distances >> (\x + 5 * .Lrow) & 1)
	.endr
	.set	.Lslot, 25 * .Lslot + 5 * .Lrow + \x
#endif
	.endm

/* Loads half of lane (x, y). */
	.macro	load to, x, y, half
	slot	\x, \y, \half, 0
	load_slot \to
	.endm

/* Stores half of lane (x, y) of the result. */
	.macro	store from, x, y, half
	slot	\x, \y, \half, 1
	store_result \from
	.endm

/* The same for a result of the round before. */
	.macro	store_late from, x, y, half
	slot	\x, \y, \half, 0
	store_slot \from
	.endm

	.macro	store_sum from, x, half
	str	\from, [sp, #SUMS + 20 * \half + 4 * \x]
	.set	.Lframe_of_sum_\x\half, .Lframe_\from
	.endm

	.macro	load_sum to, x, half
	ldr	\to, [sp, #SUMS + 20 * \half + 4 * \x]
	.set	.Lframe_\to, .Lframe_of_sum_\x\half
	.endm

	.macro	store_part from, x
	str	\from, [sp, #PARTS + 4 * \x]
	.set	.Lframe_of_part_\x, .Lframe_\from
	.endm

	.macro	load_part to, x
	ldr	\to, [sp, #PARTS + 4 * \x]
	.set	.Lframe_\to, .Lframe_of_part_\x
	.endm

	.macro	constant to, from, half
	ldr	\to, [\from, #8 * .Lround + 4 * \half]
	.set	.Lframe_\to, 0
	.endm

/* Half \half of a word after theta and rho, which rotates the lane by \n. */
	.macro	rho to, x, y, n, half, in_y=0
	add_in_frame 0, (\n + 1 - \half) / 2, \to, \x, \y, \in_y
	.endm

	.macro	round
	load	r5, 4, 2, 1
	store_late	r4, 4, 3, 1
	sum	r5, r4, r5, 0b100100
	load	r7, 4, 4, 1
	load	r6, 3, 4, 0
	load	r4, 4, 0, 1
	store_late	r1, 1, 3, 1
	sum	r5, r5, r7
	sum	r11, r11, r6
	sum	lr, r5, r4
	load	r7, 4, 1, 1
	load	r6, 1, 1, 1
	load	r5, 1, 4, 1
	store_late	r0, 0, 3, 1
	sum	r4, r1, r5
	sum	lr, lr, r7, 0b000011
	sum	r7, r4, r6
	load_part	r4, 0
	load	r6, 3, 0, 0
	load	r1, 1, 0, 1
	store_late	r2, 2, 3, 1
	sum	r7, r7, r1, 0b100100
	sum	r0, r0, r4, 0b101110
	sum	r11, r11, r6, 0b000100
	sum	r1, lr, r9, 0b101010
	sum1	lr, r10, lr, 0b101111
	load	r4, 3, 3, 0
	load	r6, 2, 0, 1
	store_sum	r1, 0, 1
	sum	r1, r2, r6
	sum	r11, r11, r4
	sum	r4, r0, r10, 0b101010
	load	r10, 1, 2, 1
	load	r2, 2, 2, 1
	store_sum	r4, 1, 1
	sum	r1, r1, r2, 0b100000
	sum	r10, r7, r10, 0b000010
	rho	r4, r5, r4, 2, 1
	load	r7, 3, 1, 0
	load_part	r2, 3
	load	r5, 2, 1, 1
	store_late	r3, 3, 3, 1
	sum	r1, r1, r5, 0b001000
	sum	r11, r11, r7, 0b001010
	sum	r3, r3, r2, 0b101010
	sum1	r0, r11, r0, 0b101011
	sum	r11, r10, r11, 0b101010
	sum1	r10, r12, r10, 0b100010
	rho	r5, r6, r11, 62, 1, 0b101000
	load	r6, 4, 2, 0
	load	r2, 2, 4, 1
	store_sum	r10, 0, 0
	sum	r2, r1, r2, 0b010101
	rho	r1, r7, lr, 55, 1
	load	r7, 0, 3, 0
	store_sum	r0, 4, 0
	rho	r6, r6, r0, 39, 1, 0b100110
	sum	r0, r8, r7
	rho	r8, r7, r10, 41, 1
	sum1	r7, r9, r3, 0b110011
	sum	r9, r3, r0
	sum	r3, r2, r12, 0b100000
	sum1	r12, r0, r2, 0b110111
	mask	r2, r4, r8
	store_sum	r7, 2, 0
	sum	r2, r6, r2, 0b001000
	store	r2, 2, 4, 1
	mask	r2, r8, r2
	mask	r0, r6, r1
	sum	r6, r1, r2, 0b001100
	sum	r2, r5, r0, 0b000100
	load	r0, 0, 2, 0
	store	r2, 0, 4, 1
	mask	r1, r1, r2
	rho	r10, r0, r10, 3, 1
	mask	r5, r5, r4
	store	r6, 1, 4, 1
	sum	r4, r4, r1, 0b000100
	sum	r0, r8, r5, 0b100010
	load	r5, 2, 4, 0
	load	r1, 4, 1, 1
	store	r4, 4, 4, 1
	rho	r8, r5, r7, 61, 1
	load	r5, 1, 3, 0
	store	r0, 3, 4, 1
	rho	r4, r5, r12, 45, 1, 0b101010
	load	r6, 3, 0, 1
	store_sum	r3, 3, 1
	mask	r5, r4, r10
	rho	r3, r6, r3, 28, 1, 0b001000
	rho	r6, r1, r9, 20, 1
	sum	r5, r6, r5, 0b101010
	store	r5, 1, 1, 1
	mask	r5, r10, r6
	mask	r1, r3, r8
	sum	r5, r3, r5, 0b000100
	sum	r3, r4, r1, 0b000100
	mask	r4, r6, r5
	sum	r1, r0, r3
	sum	r6, r8, r4
	load	r4, 2, 2, 0
	store	r6, 4, 1, 1
	rho	r4, r4, r7, 43, 1, 0b000001
	sum	r6, r2, r5
	store	r3, 3, 1, 1
	mask	r8, r8, r3
	load_sum	r7, 1, 1
	load	r2, 4, 4, 1
	load	r0, 1, 1, 1
	store	r5, 0, 1, 1
	sum	r5, r10, r8, 0b101100
	rho	r0, r0, r7, 44, 1, 0b000010
	load_sum	r8, 0, 1
	load	r7, 3, 3, 0
	load	r3, 0, 0, 1
	store	r5, 2, 1, 1
	rho	r2, r2, r9, 14, 1
	mask	r10, r4, r0
	rho	r5, r3, r8, 0, 1
	rho	r7, r7, lr, 21, 1, 0b000010
	mask	r3, r5, r2
	sum	r10, r5, r10, 0b000001
	sum	r5, r7, r3, 0b101010
	mask	r3, r0, r10
	store	r5, 3, 0, 1
	sum	r3, r2, r3, 0b101110
	mask	r2, r2, r5
	sum	r5, r1, r5
	mask	r7, r7, r4
	sum	r4, r4, r2, 0b001000
	store	r4, 2, 0, 1
	sum	r7, r0, r7, 0b000110
	ldr	r0, [sp, #CONSTANTS]
	load	r2, 1, 0, 0
	load	r1, 2, 1, 1
	constant	r4, r0, 1
	store	r7, 1, 0, 1
	sum	r4, r10, r4, 0b111100
	rho	r7, r2, r12, 1, 1, 0b000010
	rho	r10, r1, r11, 6, 1, 0b000110
	store	r3, 4, 0, 1
	sum	r3, r6, r4
	load	r2, 4, 3, 1
	load	r6, 0, 4, 1
	store	r4, 0, 0, 1
	mask	r1, r10, r7
	rho	r6, r6, r8, 18, 1, 0b101000
	rho	r2, r2, r9, 8, 1, 0b001000
	sum	r4, r6, r1, 0b010110
	mask	r6, r6, r2
	load	r1, 3, 2, 0
	store	r4, 4, 2, 1
	rho	r1, r1, lr, 25, 1, 0b000010
	mask	r4, r7, r4
	sum	r6, r1, r6, 0b111000
	sum	r4, r2, r4, 0b010101
	store	r6, 2, 2, 1
	mask	r2, r2, r1
	sum	r5, r5, r4, 0b010101
	load	r6, 4, 0, 1
	store	r4, 3, 2, 1
	sum	r2, r10, r2, 0b101101
	store	r2, 1, 2, 1
	mask	r2, r1, r2
	rho	r10, r6, r9, 27, 0
	sum	r7, r7, r2, 0b010000
	load	r4, 0, 1, 0
	load_sum	r1, 0, 0
	load	r6, 2, 3, 1
	store_part	r5, 3
	rho	r1, r4, r1, 36, 0, 0b001100
	store	r7, 0, 2, 1
	rho	r5, r6, r11, 15, 0
	sum	r4, r3, r7, 0b010010
	load	r2, 3, 4, 0
	load	r7, 4, 1, 0
	load_sum	r3, 4, 0
	load	r6, 1, 2, 0
	store_part	r4, 0
	rho	r2, r2, lr, 56, 0, 0b100000
	rho	r6, r6, r12, 10, 0, 0b000110
	mask	r4, r10, r2
	sum	r4, r5, r4, 0b001010
	store	r4, 3, 3, 0
	mask	r4, r2, r5
	rho	r3, r7, r3, 20, 0, 0b000010
	sum	r4, r6, r4, 0b101000
	mask	r6, r6, r1
	mask	r7, r5, r4
	sum	r6, r10, r6, 0b000010
	load	r5, 3, 0, 0
	store	r6, 0, 3, 0
	mask	r10, r1, r6
	sum	r1, r1, r7
	sum	r7, r2, r10, 0b101100
	rho	r5, r5, lr, 28, 0, 0b001101
	constant	lr, r0, 0
	load	r6, 0, 2, 1
	load_sum	r0, 1, 1
	load	r2, 1, 3, 1
	store	r7, 4, 3, 0
	rho	r6, r6, r8, 3, 0
	rho	r10, r2, r0, 45, 0, 0b101000
	mask	r2, r6, r3
	load	r0, 2, 4, 1
	store	r4, 2, 3, 0
	rho	r0, r0, r11, 61, 0, 0b101000
	sum	r2, r5, r2, 0b000001
	mask	r5, r5, r0
	sum	r5, r10, r5, 0b000101
	store	r5, 3, 1, 0
	mask	r5, r0, r5
	mask	r10, r10, r6
	sum	r5, r6, r5, 0b101000
	mask	r6, r3, r2
	store	r1, 1, 3, 0
	store	r5, 2, 1, 0
	sum	r6, r0, r6, 0b000010
	load	r0, 0, 3, 1
	store	r6, 4, 1, 0
	sum	r3, r3, r10, 0b101000
	sum	r7, r7, r6, 0b000010
	sum	r10, r4, r5
	rho	r0, r0, r8, 41, 0
	sum	r8, r1, r3
	load_sum	r4, 2, 0
	load	r6, 4, 2, 1
	load	r5, 2, 0, 0
	load	r1, 3, 1, 1
	store	r2, 0, 1, 0
	rho	r6, r6, r9, 39, 0, 0b000110
	rho	r9, r5, r4, 62, 0, 0b100010
	load_sum	r4, 3, 1
	load	r5, 1, 4, 0
	store	r3, 1, 1, 0
	rho	r3, r5, r12, 2, 0, 0b010011
	rho	r1, r1, r4, 55, 0, 0b100010
	mask	r5, r3, r0
	sum	r5, r6, r5, 0b010101
	store	r5, 2, 4, 0
	sum	r10, r10, r5
	mask	r5, r0, r5
	mask	r6, r6, r1
	sum	r5, r1, r5, 0b001000
	mask	r1, r1, r9
	sum	r6, r9, r6, 0b000100
	sum	r1, r3, r1, 0b101000
	store	r6, 0, 4, 0
	mask	r9, r9, r1
	store	r1, 4, 4, 0
	sum	r3, r0, r9, 0b101100
	sum	r9, r7, r1
	load	r0, 1, 1, 0
	load	r7, 3, 3, 1
	store	r5, 1, 4, 0
	rho	r12, r0, r12, 44, 0, 0b111010
	sum	r6, r2, r6
	rho	r2, r7, r4, 21, 0
	sum	r5, r8, r5
	load_sum	r1, 0, 0
	load	r7, 2, 2, 1
	load	r0, 0, 0, 0
	store	r3, 3, 4, 0
	rho	r11, r7, r11, 43, 0, 0b000010
	rho	r8, r0, r1, 0, 0, 0b000010
	mask	r0, r2, r11
	sum	r0, r12, r0
	mask	r12, r12, r8
	mask	r3, r11, r0
	sum	r7, r8, r3
	store	r0, 1, 0, 0
	sum	r7, r7, lr, 0b111100
	sum	lr, r5, r0, 0b010000
	load	r0, 4, 4, 0
	load_sum	r3, 4, 0
	store	r7, 0, 0, 0
	rho	r0, r0, r3, 14, 0, 0b001001
	mask	r5, r8, r0
	sum	r8, r6, r7
	sum	r6, r2, r5, 0b101010
	sum	r2, r0, r12, 0b100001
	mask	r0, r0, r6
	sum	r9, r9, r2, 0b000100
	sum	r0, r11, r0, 0b001001
	load	r5, 4, 3, 0
	store	r6, 3, 0, 0
	rho	r11, r5, r3, 8, 0, 0b000001
	load	r3, 0, 4, 0
	store	r0, 2, 0, 0
	sum	r10, r10, r0, 0b000001
	rho	r12, r3, r1, 18, 0, 0b100000
	load_sum	r6, 1, 1
	load	r7, 2, 1, 0
	load	r5, 3, 2, 1
	load_sum	r0, 2, 0
	load	r1, 1, 0, 1
	load	r3, 3, 4, 1
	store	r2, 4, 0, 0
	rho	r2, r1, r6, 1, 0
	rho	r5, r5, r4, 25, 0
	rho	r3, r3, r4, 56, 1, 0b100000
	mask	r4, r12, r11
	rho	r1, r7, r0, 6, 0, 0b010100
	sum	r7, r5, r4, 0b111100
	mask	r4, r11, r5
	sum	r10, r10, r7, 0b010100
	sum	r4, r1, r4, 0b101001
	mask	r1, r1, r2
	mask	r5, r5, r4
	sum	r1, r12, r1, 0b010000
	sum	r5, r2, r5, 0b000010
	sum	r12, r9, r1, 0b010000
	store	r1, 4, 2, 0
	mask	r9, r2, r1
	store	r5, 0, 2, 0
	sum	r8, r8, r5, 0b000100
	load	r2, 4, 0, 0
	load	r1, 2, 3, 0
	load_sum	r5, 4, 0
	store	r4, 1, 2, 0
	store	r7, 2, 2, 0
	sum	r11, r11, r9, 0b010000
	rho	r7, r1, r0, 15, 1
	rho	r5, r2, r5, 27, 1
	load_sum	r0, 0, 1
	load	r2, 1, 2, 1
	load	r1, 0, 1, 1
	store	r11, 3, 2, 0
	rho	r1, r1, r0, 36, 1, 0b000010
	rho	r6, r2, r6, 10, 1, 0b000100
	mask	r2, r3, r7
	mask	r9, r6, r1
	sum	r2, r6, r2, 0b100000
	sum	r0, r5, r9, 0b001100
	mask	r9, r7, r2
	mask	r6, r1, r0
	sum	r1, r1, r9, 0b001001
	mask	r5, r5, r3
	sum	r9, lr, r4, 0b000101
	sum	r4, r3, r6, 0b001010
	sum	r3, r7, r5, 0b000010
	.set	.Lround, .Lround + 1
	.endm

/* void keccak1600_permute(keccak1600_state *state) */
function keccak1600_permute
	movw	r1, #:lower16:.Lconstants
	movt	r1, #:upper16:.Lconstants
	push	{r0, r4-r11, lr}
	sub	sp, #FRAME
	mov	lr, r0
	str	r1, [sp, #CONSTANTS]
	mov	r7, sp
	copy	r8, r9, r10, r11, r12
	copy	r0, r1, r2, r3, r4
	eor	EVEN_0, EVEN_0, r0
	eor	EVEN_1, EVEN_1, r1
	eor	EVEN_2, EVEN_2, r2
	eor	EVEN_4, EVEN_4, r4
	copy	r0, r1, r2, r3, r4
	eor	EVEN_0, EVEN_0, r0
	eor	EVEN_1, EVEN_1, r1
	eor	EVEN_2, EVEN_2, r2
	mov	EVEN_3, r3
	eor	EVEN_4, EVEN_4, r4
	copy	r0, r1, r2, r3, r4
	eor	EVEN_1, EVEN_1, r1
	eor	EVEN_2, EVEN_2, r2
	eor	EVEN_4, EVEN_4, r4
	copy	r0, r1, r2, r3, r4
	eor	EVEN_0, EVEN_0, r0
	eor	EVEN_1, EVEN_1, r1
	eor	EVEN_2, EVEN_2, r2
	eor	EVEN_4, EVEN_4, r4
	copy	r0, r1, r2, r3, r4
	mov	r5, r0
	mov	r6, r3
	copy	r0, r1, r2, r3, r4
	eors	r5, r0
	eors	r6, r3
	copy	r0, r1, r2, r3, r4
	eors	r5, r0
	eors	r6, r3
	copy	r0, r1, r2, r3, r4
	ldm	lr, {r0-r4}
	eors	r5, r0
	stm	r7!, {r0-r4}
	eors	r6, r3
	subs	r7, #40
	ldm	r7, {r0-r4}
	str	r6, [sp, #PARTS + 12]
	str	r5, [sp, #PARTS]

	begin_frames 0, SLOTS - 1, r0, r1, r2, r3, r4, r8, r9, r10, r11, r12, of_part_0, of_part_3
	.balign	4
.Lrounds:
	.rept	LOOP
	round
	.endr
	settle_all
	.if	(.Lframe_of_part_0 | .Lframe_of_part_3) & (FRAMES - 1)
	.error	"the partial parities are not in place"
	.endif
	next_rounds 8 * LOOP, 24

	ldr	lr, [sp, #FRAME]
	add	r7, sp, #160
	stm	r7, {r0-r4}
	mov	r7, sp
	.rept	5
	ldm	r7!, {r0-r6, r8-r10}
	stm	lr!, {r0-r6, r8-r10}
	.endr
	add	sp, #FRAME + 4
	pop	{r4-r11, pc}
end_function keccak1600_permute

/* For each round the constant's even bits and its odd ones. The table ends at a multiple of 256. */
	.section .rodata.keccak1600_constants, "a", %progbits
	.balign	256
	.skip	64
.Lconstants:
	.word	1, 0x00000000, 0, 0x00000089, 0, 0x8000008b, 0, 0x80008080, 1, 0x0000008b, 1, 0x00008000
	.word	1, 0x80008088, 1, 0x80000082, 0, 0x0000000b, 0, 0x0000000a, 1, 0x00008082, 0, 0x00008003
	.word	1, 0x0000808b, 1, 0x8000000b, 1, 0x8000008a, 1, 0x80000081, 0, 0x80000081, 0, 0x80000008
	.word	0, 0x00000083, 0, 0x80008003, 1, 0x80008088, 0, 0x80000088, 1, 0x00008000, 0, 0x80008082

#endif
