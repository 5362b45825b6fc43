/*
 * Ascon's permutations and the loops over whole blocks, with interleaved bits, for Armv7-M.
 *
 * References: NIST SP 800-232 (2025), sections 3.2 to 3.4 and 4.1; Ascon v1.2 (2021), sections 2.4
 * and 2.6; "ISAP v2.0" (2021), algorithm 3, for ascon_absorb_bits; G. Bertoni, J. Daemen, M.
 * Peeters, G. Van Assche, R. Van Keer, "Keccak implementation overview" (2012), section 2.1: bit
 * interleaving.
 *
 * Scheduling. The even and the odd bits of a word are in two registers. A rotation of the word is
 * then a rotation of the second operand of an exclusive or, which costs nothing. A round takes 54
 * instructions of one cycle: 2 for its constant, 32 for the substitution layer (ORN makes
 * complements unnecessary) and 20 for the linear layer. There are no moves: the substitution layer
 * writes its last results to the registers from which the linear layer reads them. The state stays
 * in registers between blocks.
 *
 * The order of a round was found with `make schedule`: the linear layer of a word begins before the
 * substitution layer of others ends. On the Cortex-M33, the result of an instruction with a rotated
 * operand is ready a cycle late; on the SAM3X8E, short instructions between long ones help.
 *
 * Rounds 0 to 3 differ from rounds 4 to 7 only in the constants of the even bits, which are in two
 * registers. So code for eight rounds suffices for twelve. The loop over blocks, 2 KB at most, fits
 * into the code cache of the nRF52840, and the functions are in an order that makes it fit.
 *
 * 14 of the 54 instructions use two low registers and no rotation, and take 16 bits. This helps
 * where flash delivers less than a word per cycle (SAM3X8E).
 *
 * Registers: R0 to R4 the even bits of x0 to x4, R6, R8, R9, R10 and R7 the odd bits; R5 and R11
 * scratch; R12 and LR the constants of the rounds that run twice, scratch between permutations. The
 * stack holds the arguments. After the rounds, execution continues at the address in [SP], so that
 * several functions can share them.
 *
 * Cycles of a call from C, and of a block of 16 bytes in the loops with 8 rounds:
 *
 *                            12 rounds  8 rounds  6 rounds  absorbed  encrypted  decrypted
 *   Cortex-M3, 0 wait states       721       495       390       500        545        545
 *   Cortex-M4, 0 wait states       721       495       390       498        541        541
 *   nRF52840                       721       495       390       498        541        541
 *   SAM3X8E                        820       555       440       567        621        621
 *   RP2350 (Cortex-M33)            714       488       383       513        536        538
 */
#include "arm.h"

#if PW_ARMV7M

#include "constants.h"
#include "variant.h"

/* The even and odd bits of words x0 to x4. */
#define even0 r0
#define even1 r1
#define even2 r2
#define even3 r3
#define even4 r4
#define odd0 r6
#define odd1 r8
#define odd2 r9
#define odd3 r10
#define odd4 r7
/* Scratch. */
#define t r5
#define u r11
/* The even bits of the constants of the rounds that run twice, alternately; scratch between
 * permutations. */
#define first r12
#define second lr

/* The stack of all functions: where to continue after the last round, the state, and the arguments
 * of the loops over blocks. */
#define AFTER 0
#define STATE 4
#define OUTPUT 8
#define INPUT 12
#define BLOCKS 16

/* The first four of the five exchanges that separate the even and odd bits of a word, given its
 * lower and upper half; \x is scratch. */
	.macro	interleave_most low, high, x
#if PW_ARM_DSP
	pkhbt	\x, \low, \high, lsl #16
	pkhtb	\high, \high, \low, asr #16
	eor	\low, \high, \x, lsr #8
	and	\low, \low, #0x00ff00ff
	eors	\high, \low
	eor	\low, \x, \low, lsl #8
#else
	lsr	\x, \low, #16
	bfi	\low, \high, #16, #16
	bfi	\high, \x, #0, #16
	exchange \low, \high, 8, 0x00ff00ff, \x
#endif
	exchange \low, \high, 4, 0x0f0f0f0f, \x
	exchange \low, \high, 2, 0x33333333, \x
	.endm

	.macro	interleave low, high, x
	interleave_most \low, \high, \x
	exchange \low, \high, 1, 0x55555555, \x
	.endm

/* The same with the results in other registers; \low and \high are scratch. */
	.macro	interleave_to even, odd, low, high
	interleave_most \low, \high, \even
	eor	\odd, \high, \low, lsr #1
	and	\odd, \odd, #0x55555555
	eor	\even, \low, \odd, lsl #1
	eor	\odd, \high, \odd
	.endm

/* The inverse: even and odd bits of a word become its lower and upper half, which may be in the
 * same registers; \x is scratch. */
	.macro	separate low, high, even, odd, x
	eor	\x, \odd, \even, lsr #1
	and	\x, \x, #0x55555555
	eor	\high, \odd, \x
	eor	\low, \even, \x, lsl #1
	exchange \low, \high, 2, 0x33333333, \x
	exchange \low, \high, 4, 0x0f0f0f0f, \x
#if PW_ARM_DSP
	eor	\x, \high, \low, lsr #8
	and	\x, \x, #0x00ff00ff
	eors	\high, \x
	eor	\x, \low, \x, lsl #8
	pkhbt	\low, \x, \high, lsl #16
	pkhtb	\high, \high, \x, asr #16
#else
	exchange \low, \high, 8, 0x00ff00ff, \x
	lsr	\x, \low, #16
	bfi	\low, \high, #16, #16
	bfi	\high, \x, #0, #16
#endif
	.endm

#if PW_ARMV8M

/* The same for two words in turn: on the Cortex-M33, the result of an instruction with a shifted
 * operand is ready a cycle late. On the SAM3X8E, this takes longer. */
	.macro	exchange_two n, mask, a, b, x, c, d, y
	eor	\x, \b, \a, lsr #\n
	eor	\y, \d, \c, lsr #\n
	and	\x, \x, #\mask
	and	\y, \y, #\mask
	eors	\b, \x
	eors	\d, \y
	eor	\a, \a, \x, lsl #\n
	eor	\c, \c, \y, lsl #\n
	.endm

	.macro	interleave_most_of_two low0, high0, x0, low1, high1, x1
#if PW_ARM_DSP
	pkhbt	\x0, \low0, \high0, lsl #16
	pkhbt	\x1, \low1, \high1, lsl #16
	pkhtb	\high0, \high0, \low0, asr #16
	pkhtb	\high1, \high1, \low1, asr #16
	eor	\low0, \high0, \x0, lsr #8
	eor	\low1, \high1, \x1, lsr #8
	and	\low0, \low0, #0x00ff00ff
	and	\low1, \low1, #0x00ff00ff
	eors	\high0, \low0
	eors	\high1, \low1
	eor	\low0, \x0, \low0, lsl #8
	eor	\low1, \x1, \low1, lsl #8
#else
	lsr	\x0, \low0, #16
	lsr	\x1, \low1, #16
	bfi	\low0, \high0, #16, #16
	bfi	\low1, \high1, #16, #16
	bfi	\high0, \x0, #0, #16
	bfi	\high1, \x1, #0, #16
	exchange_two 8, 0x00ff00ff, \low0, \high0, \x0, \low1, \high1, \x1
#endif
	exchange_two 4, 0x0f0f0f0f, \low0, \high0, \x0, \low1, \high1, \x1
	exchange_two 2, 0x33333333, \low0, \high0, \x0, \low1, \high1, \x1
	.endm

	.macro	interleave_two low0, high0, x0, low1, high1, x1
	interleave_most_of_two \low0, \high0, \x0, \low1, \high1, \x1
	exchange_two 1, 0x55555555, \low0, \high0, \x0, \low1, \high1, \x1
	.endm

/* The words of \low0 and \high0, which are the registers of even1 and odd1, and of \low1 and
 * \high1, which are scratch, to \even0 to \odd1. */
	.macro	interleave_two_to even0, odd0, even1, odd1, low1, high1
	interleave_most_of_two \even1, \odd1, \even0, \low1, \high1, \odd0
	eor	\odd0, \odd1, \even1, lsr #1
	and	\odd0, \odd0, #0x55555555
	eor	\even0, \even1, \odd0, lsl #1
	eor	\odd0, \odd1, \odd0
	eor	\odd1, \high1, \low1, lsr #1
	and	\odd1, \odd1, #0x55555555
	eor	\even1, \low1, \odd1, lsl #1
	eor	\odd1, \high1, \odd1
	.endm

	.macro	separate_two even0, odd0, x0, even1, odd1, x1
	eor	\x0, \odd0, \even0, lsr #1
	eor	\x1, \odd1, \even1, lsr #1
	and	\x0, \x0, #0x55555555
	and	\x1, \x1, #0x55555555
	eor	\odd0, \odd0, \x0
	eor	\odd1, \odd1, \x1
	eor	\even0, \even0, \x0, lsl #1
	eor	\even1, \even1, \x1, lsl #1
	exchange_two 2, 0x33333333, \even0, \odd0, \x0, \even1, \odd1, \x1
	exchange_two 4, 0x0f0f0f0f, \even0, \odd0, \x0, \even1, \odd1, \x1
#if PW_ARM_DSP
	eor	\x0, \odd0, \even0, lsr #8
	eor	\x1, \odd1, \even1, lsr #8
	and	\x0, \x0, #0x00ff00ff
	and	\x1, \x1, #0x00ff00ff
	eors	\odd0, \x0
	eors	\odd1, \x1
	eor	\x0, \even0, \x0, lsl #8
	eor	\x1, \even1, \x1, lsl #8
	pkhbt	\even0, \x0, \odd0, lsl #16
	pkhbt	\even1, \x1, \odd1, lsl #16
	pkhtb	\odd0, \odd0, \x0, asr #16
	pkhtb	\odd1, \odd1, \x1, asr #16
#else
	exchange_two 8, 0x00ff00ff, \even0, \odd0, \x0, \even1, \odd1, \x1
	lsr	\x0, \even0, #16
	lsr	\x1, \even1, #16
	bfi	\even0, \odd0, #16, #16
	bfi	\even1, \odd1, #16, #16
	bfi	\odd0, \x0, #0, #16
	bfi	\odd1, \x1, #0, #16
#endif
	.endm

#endif

/* Loads a word of 8 bytes of input at \at. */
	.macro	load_word low, high, at, offset
#if ASCON_BIG_ENDIAN
	ldr	\high, [\at, #\offset]
	ldr	\low, [\at, #\offset + 4]
	rev	\high, \high
	rev	\low, \low
#else
	ldr	\low, [\at, #\offset]
	ldr	\high, [\at, #\offset + 4]
#endif
	.endm

/* Stores it, from \from_low and \from_high; \low and \high are scratch if bytes are reversed. */
	.macro	store_word from_low, from_high, at, offset, low, high
#if ASCON_BIG_ENDIAN
	rev	\high, \from_high
	rev	\low, \from_low
	str	\high, [\at, #\offset]
	str	\low, [\at, #\offset + 4]
#else
	str	\from_low, [\at, #\offset]
	str	\from_high, [\at, #\offset + 4]
#endif
	.endm

/* A round; its constant has the even bits \c_even, a register or a number, and odd bits \c_odd. The
 * substitution layer of the odd bits leaves those of x4 in t and those of x1 in u. */
	.macro	round c_even, c_odd
	/* The substitution layer of the even bits. */
	eors	even0, even4
	eors	even4, even3
	eor	even2, even2, \c_even
	eors	even2, even1
	orn	u, even4, even0
	bic	t, even2, even1
	eors	even0, t
	eor	odd2, odd2, #\c_odd
	orn	t, even3, even4
	eors	even2, t
	bic	t, even1, even0
	eors	even4, t
	and	t, even3, even2
	eors	even1, t
	eors	even3, u
	/* The same of the odd bits. */
	eors	odd0, odd4
	eors	odd4, odd3
	eors	odd2, odd1
	eors	even1, even0
	orn	u, odd4, odd0
	bic	t, odd2, odd1
	eors	odd0, t
	orn	t, odd3, odd4
	eors	even0, even4
	eors	odd2, t
	bic	t, odd1, odd0
	eors	t, odd4
	and	odd4, odd3, odd2
	eors	odd1, odd4
	eors	odd3, u
	eor	u, odd1, odd0
	/* The linear layer: x4, rotated by 7 and 41, and the end of the substitution layer. */
	eor	odd4, t, even4, ror #4
	eors	odd0, t
	eor	odd4, odd4, even4, ror #21
	eor	even4, even4, t, ror #3
	eors	even3, even2
	eor	even4, even4, t, ror #20
	/* x0, by 19 and 28. */
	eor	t, odd0, even0, ror #10
	eor	even0, even0, even0, ror #14
	eors	odd3, odd2
	eor	even0, even0, odd0, ror #9
	eor	odd0, t, odd0, ror #14
	/* x2, by 1 and 6, and x1, by 61 and 39. */
	eor	t, odd2, even2, ror #1
	eor	even2, even2, even2, ror #3
	eor	odd1, u, even1, ror #31
	eor	even2, even2, odd2
	eor	odd1, odd1, even1, ror #20
	eor	odd2, t, odd2, ror #3
	/* x3, by 10 and 17. */
	eor	t, odd3, even3, ror #9
	eor	even3, even3, even3, ror #5
	eor	even1, even1, u, ror #30
	eor	even3, even3, odd3, ror #8
	eor	even1, even1, u, ror #19
	eor	odd3, t, odd3, ror #5
	.endm

/* Loads the state at \at, which may be the register of even0. */
	.macro	load_state at
	load_words \at, 4, odd0, even1, odd1, even2, odd2, even3, odd3, even4, odd4
	ldr	even0, [\at]
	.endm

/* Ends a function: stores the state, frees \frame bytes of stack and returns. */
	.macro	store_state_and_return frame
	ldr	t, [sp, #STATE]
	add	sp, #\frame
	store_words t, 0, even0, odd0, even1, odd1, even2, odd2, even3, odd3, even4, odd4
	pop	{r4-r11, pc}
	.endm

/* Continues with the rounds between blocks. */
	.macro	rounds_b
#if ASCON_ROUNDS_B == ASCON_12_ROUNDS
	b	ascon_rounds_12
#else
	mov	first, #6
	mov	second, #3
#if ASCON_ROUNDS_B == ASCON_8_ROUNDS
	b	ascon_rounds_8
#else
	b	ascon_rounds_6
#endif
#endif
	.endm

#ifdef ISAP_S_B

#define BITS 8  /* the remaining bits of the current word */
#define BYTES 12 /* the address of the next word */
#define LEFT 16 /* the number of bits, or groups of four bits, that remain */

/* Loads the next 32 bits into \to, the first as the lowest; t is scratch. */
	.macro	next_bits to
	ldr	t, [sp, #BYTES]
	ldr	\to, [t], #4
	str	t, [sp, #BYTES]
	rev	\to, \to
	rbit	\to, \to
	.endm

/* Adds the lowest bit of `first` to the first bit of the state. */
	.macro	add_bit
	eor	odd0, odd0, first, lsl #31
	lsr	first, first, #1
	.endm

/* void ascon_absorb_bits(ascon_state *s, const uint8_t *bits): 128 bits, with ISAP_S_B rounds after
 * each but the last */
function ascon_absorb_bits
	push	{r4-r11, lr}
	mov	r3, #128
	push	{r1, r3}
#if ISAP_S_B == ASCON_1_ROUND
	push	{r0-r1}
	sub	sp, #4
	load_state r0
	next_bits first
	mov	second, #32
1:	add_bit
	round	#9, 3
	add_bit
	round	#9, 3
	add_bit
	round	#9, 3
	add_bit
	subs	second, second, #1
	beq	3f
	tst	second, #7
	bne	2f
	next_bits first
2:	round	#9, 3
	b	1b
3:	store_state_and_return 20
#else
	adr	r3, .Lafter_bit + 1
	push	{r0-r1}
	push	{r3}
	load_state r0
	next_bits first
	mov	second, #128
	b	1f
	.balign	4
.Lafter_bit:
	ldr	second, [sp, #LEFT]
	ldr	first, [sp, #BITS]
	sub	second, second, #1
	str	second, [sp, #LEFT]
	tst	second, #31
	bne	1f
	next_bits first
1:	add_bit
	cmp	second, #1
	beq	2f
	str	first, [sp, #BITS]
	b	ascon_rounds_12
2:	store_state_and_return 20
#endif
end_function ascon_absorb_bits

#endif

/* Begins a function over blocks. */
	.macro	blocks_begin name
function \name
	push	{r0-r11, lr}
	adr	r4, .Lafter_\name + 1
	push	{r4}
	load_state r0
	b	.Lblock_\name
	.balign	4
.Lafter_\name:
	ldr	t, [sp, #BLOCKS]
	subs	t, #1
	beq	.Lend_\name
	str	t, [sp, #BLOCKS]
.Lblock_\name:
	.endm

	.macro	blocks_end name
	rounds_b
.Lend_\name:
	store_state_and_return 20
end_function \name
	.endm

/* void ascon_permute(ascon_state *s, unsigned constant) */
function ascon_permute
	push	{r0, r4-r11, lr}
	adr	r4, .Lpermuted + 1
	mov	u, r1
	push	{r4}
	load_state r0
	mov	first, #6
	mov	second, #3
	cmp	u, #ASCON_8_ROUNDS
	beq	ascon_rounds_8
	bhi	ascon_rounds_12
	cmp	u, #ASCON_6_ROUNDS
	beq	ascon_rounds_6
	b	ascon_round_1
	.balign	4
.Lpermuted:
	store_state_and_return 8
end_function ascon_permute

#ifndef ASCON_KEY_BYTES

/* void ascon_squeeze_blocks(ascon_state *s, uint8_t *output, const uint8_t *none, size_t blocks) */
function ascon_squeeze_blocks
	push	{r0-r11, lr}
	adr	r4, .Lsqueezed + 1
	push	{r4}
	load_state r0
.Lsqueeze:
	rounds_b
	.balign	4
.Lsqueezed:
	ldr	first, [sp, #OUTPUT]
	separate t, u, even0, odd0, second
	store_word t, u, first, 0, t, u
	ldr	t, [sp, #BLOCKS]
	adds	first, #ASCON_RATE
	str	first, [sp, #OUTPUT]
	subs	t, #1
	str	t, [sp, #BLOCKS]
	bne	.Lsqueeze
	store_state_and_return 20
end_function ascon_squeeze_blocks

#endif

/* void ascon_absorb_blocks(ascon_state *s, const uint8_t *unused, const uint8_t *input, size_t
 *                          blocks) */
	.macro	absorb_word even, odd, offset
	load_word t, u, first, \offset
	interleave t, u, second
	eors	\even, t
	eors	\odd, u
	.endm

blocks_begin ascon_absorb_blocks
	ldr	first, [sp, #INPUT]
	absorb_word even0, odd0, 0
#if ASCON_RATE == 16
	absorb_word even1, odd1, 8
#endif
	adds	first, #ASCON_RATE
	str	first, [sp, #INPUT]
blocks_end ascon_absorb_blocks

#ifdef ASCON_KEY_BYTES

/* A function over blocks with output; \how is encrypt or decrypt. */
	.macro	crypt_blocks how
blocks_begin ascon_\how\()_blocks
	ldr	first, [sp, #INPUT]
	ldr	second, [sp, #OUTPUT]
#if ASCON_RATE == 16 && PW_ARMV8M
	\how\()_two even0, odd0, even1, odd1
#else
	\how\()_word even0, odd0, 0
#if ASCON_RATE == 16
	\how\()_word even1, odd1, 8
#endif
#endif
	adds	first, #ASCON_RATE
	adds	second, #ASCON_RATE
	str	first, [sp, #INPUT]
	str	second, [sp, #OUTPUT]
blocks_end ascon_\how\()_blocks
	.endm

	.macro	decrypt_word even, odd, offset
	separate \even, \odd, \even, \odd, t
	load_word t, u, first, \offset
	eors	\even, t
	eors	\odd, u
	store_word \even, \odd, second, \offset, \even, \odd
	interleave_to \even, \odd, t, u
	.endm

	.macro	decrypt_two even0, odd0, even1, odd1
	separate_two \even0, \odd0, t, \even1, \odd1, u
	load_word t, u, first, 8
	eors	\even1, t
	eors	\odd1, u
	store_word \even1, \odd1, second, 8, \even1, \odd1
	load_word \even1, \odd1, first, 0
	eors	\even0, \even1
	eors	\odd0, \odd1
	store_word \even0, \odd0, second, 0, \even0, \odd0
	interleave_two_to \even0, \odd0, \even1, \odd1, t, u
	.endm

/* void ascon_decrypt_blocks(ascon_state *s, uint8_t *output, const uint8_t *input, size_t blocks)
 *                            */
	crypt_blocks decrypt

#endif

/* The rounds, with the state in registers; they continue at the address in AFTER. For eight or six
 * rounds, `first` and `second` have to be 6 and 3. */
	section_for ascon_rounds
	hidden_entry ascon_rounds_12
	mov	first, #12
	mov	second, #9
	hidden_entry ascon_rounds_8
	round	first, 12
	round	second, 12
	hidden_entry ascon_rounds_6
	round	first, 9
	round	second, 9
	cmp	first, #12
	beq	.Lagain
	round	#12, 6
	round	#9, 6
	round	#12, 3
	hidden_entry ascon_round_1
	round	#9, 3
	ldr	pc, [sp, #AFTER]
.Lagain:
	mov	first, #6
	mov	second, #3
	b	ascon_rounds_8
	.size	ascon_rounds_12, . - ascon_rounds_12

#ifdef ASCON_KEY_BYTES

	.macro	add_word even, odd, offset
	load_word t, u, first, \offset
	eors	\even, t
	eors	\odd, u
	store_word \even, \odd, second, \offset, t, u
	.endm

	.macro	encrypt_word even, odd, offset
	separate \even, \odd, \even, \odd, t
	add_word \even, \odd, \offset
	interleave \even, \odd, t
	.endm

	.macro	encrypt_two even0, odd0, even1, odd1
	separate_two \even0, \odd0, t, \even1, \odd1, u
	add_word \even0, \odd0, 0
	add_word \even1, \odd1, 8
	interleave_two \even0, \odd0, t, \even1, \odd1, u
	.endm

/* void ascon_encrypt_blocks(ascon_state *s, uint8_t *output, const uint8_t *input, size_t blocks)
 *                            */
	crypt_blocks encrypt

#endif

#if defined(ASCON_KEY_BYTES) && ASCON_KEY_BYTES == 16

/* The offset of the key on the stack of the two functions below. */
#define KEY 8

	.macro	convert_word even, odd, at, offset
	load_word \even, \odd, \at, \offset
	interleave \even, \odd, t
	.endm

/* Adds the key at u to two words of the state; uses t, first and second. */
	.macro	add_key even_a, odd_a, even_b, odd_b
	load_words u, 0, t, first, second, u
	eors	\even_a, t
	eor	\odd_a, \odd_a, first
	eor	\even_b, \even_b, second
	eor	\odd_b, \odd_b, u
	.endm

/* void ascon_initialize(ascon_state *s, ascon_key *k, const uint8_t *key, const uint8_t *nonce) */
function ascon_initialize
	push	{r0-r1, r4-r11, lr}
	adr	r4, .Linitialized + 1
	push	{r4}
	mov	first, r3
	mov	second, r2
	mov	u, r1
	ldr	odd0, [r0, #4]
	ldr	even0, [r0]
	convert_word even1, odd1, second, 0
	convert_word even2, odd2, second, 8
	convert_word even3, odd3, first, 0
	convert_word even4, odd4, first, 8
	store_words u, 0, even1, odd1, even2, odd2
	b	ascon_rounds_12
	.balign	4
.Linitialized:
	ldr	u, [sp, #KEY]
	add_key even3, odd3, even4, odd4
	store_state_and_return 12
end_function ascon_initialize

/* void ascon_finalize(ascon_state *s, const ascon_key *k) */
function ascon_finalize
	push	{r0-r1, r4-r11, lr}
	adr	r4, .Lfinalized + 1
	push	{r4}
	mov	u, r1
	load_state r0
#if ASCON_RATE == 16
	add_key even2, odd2, even3, odd3
#else
	add_key even1, odd1, even2, odd2
#endif
	b	ascon_rounds_12
	.balign	4
.Lfinalized:
	ldr	u, [sp, #KEY]
	add_key even3, odd3, even4, odd4
	separate even3, odd3, even3, odd3, t
	separate even4, odd4, even4, odd4, t
	ldr	u, [sp, #STATE]
	add	sp, #12
	store_word even3, odd3, u, 24, even3, odd3
	store_word even4, odd4, u, 32, even4, odd4
	pop	{r4-r11, pc}
end_function ascon_finalize

#endif
#endif
