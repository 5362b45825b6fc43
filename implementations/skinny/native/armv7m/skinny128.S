/*
 * SKINNY-128-384+, fixsliced, for Armv7-M: the encryption of a block and the schedule of TK2, and
 * the encryption of two blocks under a new tweakey.
 *
 * References: "The SKINNY Family" (2016), section 2 (see skinny128.h); "Romulus v1.3" (2021),
 * section 2.3; A. Adomnicai, T. Peyrin, "Fixslicing AES-like Ciphers" (TCHES 2021), section 4; same
 * names.
 *
 * Layout. As in bitsliced32/slices.h: word k of four contains bits k and k + 4 of all cells. Byte j
 * of a word belongs to column j; its lower nibble contains bit k of the four rows, its upper nibble
 * bit k + 4. All bits are inverted. Unlike there, ShiftRows moves nothing: MixColumns reads each
 * row from its current position, which repeats every four rounds, and the round tweakeys are sliced
 * to match, which repeats every eight.
 *
 * Scheduling. SubCells takes 24 instructions, its permutations of bits included. Of the two
 * operands of a NOR, one is masked before it, so that the result can be shifted to another nibble
 * without a mask; each masked operand is used by two NORs. The terms of the next round's words are
 * merged before the last two NORs, whose results are added to the merged words. MixColumns adds
 * three rows to others in each word, with two instructions for each row. Adding a round tweakey
 * takes 4 cycles, loading it 5.
 *
 * Where the key stays (SKINNY128_KEEPS_TK3), the first half of TK1 is a counter, which changes with
 * each block and is used in even rounds. It is sliced for eight of them, on the stack, before a
 * block is encrypted. TK2, TK3 and the constants are sliced once (skinny128_set_tk2), together with
 * a mask that corrects the inversion of two rows. Elsewhere, the sum of all tweakeys is sliced for
 * two blocks, on the stack, for even rounds and then for odd ones. The two rows that a round adds
 * are made neighbours, such that one exchange of bits slices both.
 *
 * On the Cortex-M33, the result of an instruction with a shifted operand is ready a cycle late, so
 * MixColumns takes the words in turn, and LFSRs step in two words at a time.
 *
 * Registers: R0 to R3 words of the state, two of which change places with each round; R4 to R7
 * scratch and round tweakeys; R8 the mask 0xf0f0f0f0; R9 and R10 the addresses of the next round
 * tweakeys, R11 and R12 the ends of both.
 *
 * Cycles of a call from C:
 *
 *                                       skinny128_encrypt  _set_tk2  _encrypt_both
 *   Cortex-M3, Cortex-M4, 0 wait states              2795      1684           7287
 *   nRF52840                                         2795      1684           7611
 *   SAM3X8E                                          3310      2071           8938
 *   RP2350 (Cortex-M33)                              2753      1738           7242
 */
#include "arm.h"

#if PW_ARMV7M

#include "variant.h"

#endif

#if PW_ARMV7M && SKINNY128_ROUNDS == 40 && SKINNY128_TWEAKEYS == 3

/* Offset of the sliced round tweakeys in a schedule. */
#define SLICED (8 * SKINNY128_ROUNDS)

/* Four words of the state, two of which change places with each round, and scratch. */
#define w0 r0
#define w2 r2
#define t r4
#define p r5
#define q r6
#define s r7
#define UPPER r8 /* 0xf0f0f0f0 */
#define round_tweakey r9
#define tk1 r10
#define tk1_end r11
#define end r12

#define UPPER_BITS 0xf0f0f0f0
#define LOWER_BITS 0x0f0f0f0f

/* SubCells. */
	.macro	sub_cells w1, w3
	and	t, \w3, w2
	eors	w0, t
	and	p, w2, #LOWER_BITS
	and	t, p, \w1
	eor	w2, w2, t, lsl #4
	and	q, \w3, #LOWER_BITS
	and	t, q, w0
	orr	p, p, q, lsl #4
	and	q, UPPER, w0, lsl #4
	eors	\w1, t
	and	t, q, w0
	eors	\w1, t
	and	s, \w1, #UPPER_BITS
	and	t, s, w2
	eors	\w3, t
	and	t, s, w0
	eors	p, t
	and	s, \w3, #UPPER_BITS
	orr	\w3, q, s, lsr #4
	eor	q, w0, w2, lsr #4
	and	t, \w1, s, lsr #4
	and	q, q, #LOWER_BITS
	eor	w2, w0, q
	eor	w0, p, t
	.endm

	.macro	add_tweakey from, w1, w3
	ldm	\from!, {r4-r7}
	eors	w0, r4
	eors	\w1, r5
	eors	w2, r6
	eors	\w3, r7
	.endm

	.macro	add_row w, row, turn
	and	t, \w, #0x11111111 << \row
	eor	\w, \w, t, ror #\turn
	.endm

	.macro	add_rows w1, w3, row, turn
	.irp	w, w0, \w1, w2, \w3
	add_row	\w, \row, \turn
	.endr
	.endm

	.macro	mix_columns w1, w3, row_2, row_0, turn_1, turn_2, turn_3
	add_rows \w1, \w3, \row_2, \turn_1
	add_rows \w1, \w3, \row_0, \turn_2
	add_rows \w1, \w3, \row_2, \turn_3
	.endm

/* Extracts rows \a and \b of half a tweakey from words \x and \y, whose cells are in the order
 * of the permutation's cycle, after \n permutations. \u and \v are scratch; \x and \y do not
 * change. */
	.macro	rows a, b, x, y, n, u, v
	.if	\n
	lsr	\a, \x, #8 * (\n)
	orr	\a, \a, \y, lsl #(32 - 8 * (\n))
	lsr	\u, \y, #8 * (\n)
	orr	\u, \u, \x, lsl #(32 - 8 * (\n))
	ubfx	\b, \u, #16, #8
	bfi	\b, \u, #8, #16
	lsr	\u, \u, #24
	.else
	mov	\a, \x
	ubfx	\b, \y, #16, #8
	bfi	\b, \y, #8, #16
	lsr	\u, \y, #24
	.endif
	ubfx	\v, \a, #16, #8
	bfi	\b, \v, #24, #8
	bfi	\a, \u, #16, #8
	.endm

/* All four slices of rows \a and \b, which change: the bits of \mask in each nibble, by AND, or all
 * others set, by ORR. \turn_a and \turn_b are the rotations that move bit 0 of the first cells to
 * its position in the round; both rows become neighbours first. \mask is a register, \u scratch. */
	.macro	slices instruction, mask, to_0, to_1, to_2, to_3, a, b, turn_a, turn_b, u
	.if	(\turn_b + 1 - \turn_a) & 31
	ror	\b, \b, #(\turn_b + 1 - \turn_a) & 31
	.endif
	eor	\u, \b, \a, lsr #1
	and	\u, \u, #0x55555555
	eor	\b, \b, \u
	eor	\a, \a, \u, lsl #1
	\instruction	\to_0, \mask, \a, ror #\turn_a
	\instruction	\to_1, \mask, \b, ror #\turn_a
	\instruction	\to_2, \mask, \a, ror #(\turn_a + 2) & 31
	\instruction	\to_3, \mask, \b, ror #(\turn_a + 2) & 31
	.endm

/* The positions of the two rows in rounds r, r + 8, ...: bits of each nibble, and the rotations of
 * `slices`. */
#define ROUND_0 0x33333333, 0, 31
#define ROUND_1 0x99999999, 21, 0
#define ROUND_2 0xcccccccc, 6, 21
#define ROUND_3 0x66666666, 15, 6
#define ROUND_4 0x33333333, 16, 15
#define ROUND_5 0x99999999, 5, 16
#define ROUND_6 0xcccccccc, 22, 5
#define ROUND_7 0x66666666, 31, 22

/* Puts the cells of half a tweakey into the order of the permutation's cycle, the second word into
 * \to; \u is scratch. */
	.macro	order x, y, to, u
	ubfx	\u, \x, #16, #8
	ubfx	\to, \y, #8, #16
	bfi	\to, \y, #16, #8
	lsr	\y, \y, #24
	bfi	\x, \y, #16, #8
	bfi	\to, \u, #24, #8
	.endm

/* Slices the part of the first half of TK1 that an even round adds, and stores it at r2. Words \x
 * and \y have the order of the cycle; \n permutations are still to be applied. */
	.macro	slice_tk1 n, x, y, mask, turn_a, turn_b
	rows	r3, r4, \x, \y, \n, r5, r6
	mov	r10, #\mask
	slices	and, r10, r5, r6, r7, r8, r3, r4, \turn_a, \turn_b, r9
	stm	r2!, {r5-r8}
	.endm

	.macro	round w1, w3, row_2, row_0, turn_1, turn_2, turn_3, even
	sub_cells \w1, \w3
	add_tweakey round_tweakey, \w3, \w1
	.ifnb	\even
	add_tweakey tk1, \w3, \w1
	.endif
	mix_columns \w1, \w3, \row_2, \row_0, \turn_1, \turn_2, \turn_3
	.endm

/* Turns four rows into inverted slices, and back; scratch is t. */
	.macro	slice_state
	mvns	r0, r0
	mvns	r1, r1
	mvns	r2, r2
	mvns	r3, r3
	exchange r0, r1, 1, 0x55555555, t
	exchange r2, r3, 1, 0x55555555, t
	exchange r0, r2, 2, 0x33333333, t
	exchange r1, r3, 2, 0x33333333, t
	.endm

	.macro	unslice_state
	exchange r1, r3, 2, 0x33333333, t
	exchange r0, r2, 2, 0x33333333, t
	exchange r2, r3, 1, 0x55555555, t
	exchange r0, r1, 1, 0x55555555, t
	mvns	r2, r2
	mvns	r0, r0
	mvns	r1, r1
	mvns	r3, r3
	.endm

	.macro	four_rounds even
	round	r1, r3, 2, 0, 25, 14, 7, \even
	round	r3, r1, 1, 3, 17, 2, 15
	round	r1, r3, 0, 2, 5, 18, 23, \even
	round	r3, r1, 3, 1, 1, 30, 3
	.endm

/* A step of the LFSR of TK2 on four cells each in \x and \y. r4 and r5 are scratch. \LOWEST is
 * 0x01010101, \HIGHEST 0x80808080. */
	.macro	step_2 x, y, LOWEST, HIGHEST
	eor	r4, \x, \x, lsl #2
	eor	r5, \y, \y, lsl #2
	bic	\x, \x, \HIGHEST
	bic	\y, \y, \HIGHEST
	and	r4, \LOWEST, r4, lsr #7
	and	r5, \LOWEST, r5, lsr #7
	orr	\x, r4, \x, lsl #1
	orr	\y, r5, \y, lsl #1
	.endm

#if SKINNY128_KEEPS_TK3

/* void skinny128_encrypt(const skinny128_schedule *s, const uint8_t *lower, uint8_t *block) */
function skinny128_encrypt
	push	{r0, r2, r4-r11, lr}
	ldr	r0, [r1]
	ldr	r3, [r1, #4]
	sub	sp, #128
	mov	r2, sp
	order	r0, r3, r1, r4
	add	tk1_end, sp, #128
	slice_tk1 0, r0, r1, ROUND_0
	slice_tk1 1, r0, r1, ROUND_2
	slice_tk1 2, r0, r1, ROUND_4
	slice_tk1 3, r0, r1, ROUND_6
	slice_tk1 0, r1, r0, ROUND_0
	slice_tk1 1, r1, r0, ROUND_2
	slice_tk1 2, r1, r0, ROUND_4
	slice_tk1 3, r1, r0, ROUND_6
	ldr	r12, [sp, #132]
	ldr	round_tweakey, [sp, #128]
	ldr	r0, [r12]
	load_words r12, 4, r1, r2, r3
	slice_state
	add	round_tweakey, round_tweakey, #SLICED
	mov	tk1, sp
	mov	UPPER, #UPPER_BITS
	add	end, round_tweakey, #16 * SKINNY128_ROUNDS
	.balign	4
1:	four_rounds even
	cmp	tk1, tk1_end
	it	eq
	subeq	tk1, #128
	cmp	round_tweakey, end
	bne	1b
	unslice_state
	add	sp, #132
	ldr	r12, [sp], #4
	store_words r12, 0, r0, r1, r2, r3
	pop	{r4-r11, pc}
end_function skinny128_encrypt

/* The registers of the schedule: half of TK2 in the order of the cycle, the address of the stored
 * words of TK3 and the constants, and that of the sliced tweakeys. */
#define x r0
#define y r1
#define kept r2
#define sliced r3
#define LOWEST lr /* 0x01010101 */

/* The tweakey of a round, \i rounds after the one that `kept` and `sliced` point to. The last two
 * rows are set, which corrects the inversion there, except for the constant of row 2. */
	.macro	tk2_round i, constant, mask, turn_a, turn_b
	ldr	r4, [kept, #8 * \i]
	ldr	r5, [kept, #8 * \i + 4]
	eors	r4, x
	eors	r5, y
	rows	r6, r7, r4, r5, \i / 2, r8, r9
	mov	r10, #~\mask
	slices	orr, r10, r4, r5, r8, r9, r6, r7, \turn_a, \turn_b, r12
	eor	r5, r5, #1 << \constant
	store_words sliced, 16 * \i, r4, r5, r8, r9
	mov	r10, #0x80808080
	step_2	x, y, LOWEST, r10
	.endm

	.macro	next_8
	mov	r4, x
	mov	x, y
	mov	y, r4
	ldr	r4, [sp, #4]
	add	kept, #64
	add	sliced, #128
	cmp	kept, r4
	.endm

/* void skinny128_set_tk2(skinny128_schedule *s, const uint8_t *tk2) */
function skinny128_set_tk2
	push	{r4-r11, lr}
	mov	kept, r0
	add	sliced, r0, #SLICED
	add	r4, r0, #8 * SKINNY128_ROUNDS
	push	{r1, r4}
	ldr	r6, [r1]
	ldr	r4, [r1, #4]
	mov	LOWEST, #0x01010101
	order	r6, r4, y, r5
	mov	x, r6
1:	tk2_round 0, 2, ROUND_0
	tk2_round 2, 24, ROUND_2
	tk2_round 4, 18, ROUND_4
	tk2_round 6, 8, ROUND_6
	next_8
	bne	1b
	ldr	r4, [sp]
	sub	kept, #8 * SKINNY128_ROUNDS
	sub	sliced, #16 * SKINNY128_ROUNDS
	ldr	r6, [r4, #8]
	ldr	r4, [r4, #12]
	order	r6, r4, y, r5
	lsr	x, r6, #8
	orr	x, x, y, lsl #24
	lsr	y, y, #8
	orr	y, y, r6, lsl #24
	mov	r10, #0x80808080
	step_2	x, y, LOWEST, r10
1:	tk2_round 1, 25, ROUND_1
	tk2_round 3, 3, ROUND_3
	tk2_round 5, 9, ROUND_5
	tk2_round 7, 19, ROUND_7
	next_8
	bne	1b
	add	sp, #8
	pop	{r4-r11, pc}
end_function skinny128_set_tk2

#else

/* The registers of the complete schedule: half of TK2 and TK3 in the order of the cycle, and the
 * address of the sliced tweakeys. */
#define x2 r0
#define y2 r1
#define x3 r2
#define y3 lr
#define sliced r3

/* The stack of the complete schedule: half of TK1, the constants of four rounds (a byte each),
 * where the next ones are, the round tweakeys, and the arguments. */
#define TK1 0
#define FOUR_CONSTANTS 8
#define NEXT_CONSTANTS 12
#define TWEAKEYS 16
#define TWEAKEYS_END (TWEAKEYS + 16 * SKINNY128_ROUNDS)
#define BLOCK_A TWEAKEYS_END
#define ADDRESS_TK1 (TWEAKEYS_END + 8)
#define ADDRESS_TK2 (TWEAKEYS_END + 12)
#define ADDRESS_TK3 (TWEAKEYS_END + 52)

/* The same for TK3. */
	.macro	step_3 x, y, LOWEST, HIGHEST
	eor	r4, \x, \x, lsr #6
	eor	r5, \y, \y, lsr #6
	bic	\x, \x, \LOWEST
	bic	\y, \y, \LOWEST
	and	r4, \HIGHEST, r4, lsl #7
	and	r5, \HIGHEST, r5, lsl #7
	orr	\x, r4, \x, lsr #1
	orr	\y, r5, \y, lsr #1
	.endm

	.macro	next_step
	mov	r10, #0x01010101
	mov	r11, #0x80808080
	step_2	x2, y2, r10, r11
	step_3	x3, y3, r10, r11
	.endm

/* As tk2_round, with all tweakeys and the constants. */
	.macro	tweakey_round i, constant, mask, turn_a, turn_b
	ldm	sp, {r6, r7, r12}
	eor	r4, x2, x3
	eor	r5, y2, y3
	eors	r4, r6
	eors	r5, r7
	rows	r6, r7, r4, r5, \i / 2, r8, r9
	ubfx	r8, r12, #8 * (\i / 2), #4
	ubfx	r9, r12, #8 * (\i / 2) + 4, #2
	eor	r6, r6, r8
	eor	r7, r7, r9
	mov	r10, #~\mask
	slices	orr, r10, r4, r5, r8, r9, r6, r7, \turn_a, \turn_b, r12
	eor	r5, r5, #1 << \constant
	store_words sliced, 16 * (\i), r4, r5, r8, r9
	next_step
	.endm

/* Half of a tweakey, whose address is at sp + \address. */
	.macro	load_half x, y, address, offset
	ldr	r8, [sp, #\address]
	ldr	\x, [r8, #\offset]
	ldr	r9, [r8, #\offset + 4]
	order	\x, r9, \y, r8
	.endm

	.macro	turn_half x, y
	mov	r8, \x
	lsr	\x, \x, #8
	orr	\x, \x, \y, lsl #24
	lsr	\y, \y, #8
	orr	\y, \y, r8, lsl #24
	.endm

	.macro	next_constants
	ldr	r8, [sp, #NEXT_CONSTANTS]
	ldr	r9, [r8], #4
	strd	r9, r8, [sp, #FOUR_CONSTANTS]
	.endm

	/* Four permutations exchange the words. The flags are set if it was the last round. */
	.macro	turn_by_4
	ldrd	r4, r5, [sp, #TK1]
	mov	r6, x2
	mov	x2, y2
	mov	y2, r6
	mov	r6, x3
	mov	x3, y3
	mov	y3, r6
	strd	r5, r4, [sp, #TK1]
	next_constants
	add	sliced, sliced, #128
	add	r4, sp, #TWEAKEYS_END
	cmp	sliced, r4
	.endm

	.section .rodata.skinny128_constants, "a", %progbits
	.balign	4
skinny128_constants:
	/* Rounds 0, 2, 4, ..., then 1, 3, 5, ...; see constants.h. */
	.byte	0x01, 0x07, 0x1f, 0x3d, 0x37, 0x1e, 0x39, 0x27, 0x1d, 0x35
	.byte	0x16, 0x18, 0x21, 0x05, 0x17, 0x1c, 0x31, 0x06, 0x1b, 0x2d
	.byte	0x03, 0x0f, 0x3e, 0x3b, 0x2f, 0x3c, 0x33, 0x0e, 0x3a, 0x2b
	.byte	0x2c, 0x30, 0x02, 0x0b, 0x2e, 0x38, 0x23, 0x0d, 0x36, 0x1a
	.word	0

/* void skinny128_encrypt_both(uint8_t *a, uint8_t *b, const uint8_t *tk1, const uint8_t *tk2,
 *                             const uint8_t *tk3) */
function skinny128_encrypt_both
	push	{r0-r11, lr}
	sub	sp, #TWEAKEYS_END
	ldr	r8, .Lconstants
	str	r8, [sp, #NEXT_CONSTANTS]
	next_constants
	load_half r4, r5, ADDRESS_TK1, 0
	strd	r4, r5, [sp, #TK1]
	load_half x2, y2, ADDRESS_TK2, 0
	load_half x3, y3, ADDRESS_TK3, 0
	add	sliced, sp, #TWEAKEYS
1:	tweakey_round 0, 2, ROUND_0
	tweakey_round 2, 24, ROUND_2
	tweakey_round 4, 18, ROUND_4
	tweakey_round 6, 8, ROUND_6
	turn_by_4
	bne	1b
	load_half r4, r5, ADDRESS_TK1, 8
	turn_half r4, r5
	strd	r4, r5, [sp, #TK1]
	load_half x2, y2, ADDRESS_TK2, 8
	turn_half x2, y2
	load_half x3, y3, ADDRESS_TK3, 8
	turn_half x3, y3
	next_step
	add	sliced, sp, #TWEAKEYS
1:	tweakey_round 1, 25, ROUND_1
	tweakey_round 3, 3, ROUND_3
	tweakey_round 5, 9, ROUND_5
	tweakey_round 7, 19, ROUND_7
	turn_by_4
	bne	1b
	mov	UPPER, #UPPER_BITS
	add	r10, sp, #BLOCK_A
2:	ldr	lr, [r10], #4
	load_words lr, 0, r0, r1, r2, r3
	slice_state
	add	round_tweakey, sp, #TWEAKEYS
	add	end, sp, #TWEAKEYS_END
	.balign	4
1:	four_rounds
	cmp	round_tweakey, end
	bne	1b
	unslice_state
	store_words lr, 0, r0, r1, r2, r3
	add	r4, sp, #BLOCK_A + 8
	cmp	r10, r4
	bne	2b
	add	sp, #TWEAKEYS_END
	pop	{r0-r11, pc}
	.balign	4
.Lconstants:
	.word	skinny128_constants
end_function skinny128_encrypt_both

#endif
#endif
