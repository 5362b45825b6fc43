/*
 * Ascon's permutations and the loops over whole blocks, with words in two halves, for RV32I.
 *
 * References: NIST SP 800-232 (2025), sections 3.2 to 3.4 and 4.1; Ascon v1.2 (2021), sections 2.4
 * and 2.6; "ISAP v2.0" (2021), algorithm 3, for ascon_absorb_bits.
 *
 * Scheduling. The state is in ten registers. RV32I rotates with two shifts, so interleaved bits would
 * save three instructions of a round only, less than the conversion costs. It has no AND with a
 * complement either: the chi of the substitution layer needs five. Where one of two adjacent words is
 * stored as its complement and the other is not, the term is a single AND, or a single OR whose
 * complement changes how the sum is stored. Five words in a circle cannot alternate; with x2 and x3
 * stored as complements, two NOT suffice for a half, and the words are again stored so after the round.
 * The substitution layer writes the lower halves to other registers, so that the linear layer needs no
 * moves. A round takes 18 + 18 instructions for the substitution layer, 80 for the linear layer and 2
 * for the constant.
 *
 * A loop contains two rounds. The state stays in registers between blocks. Input and output that are
 * aligned to words are accessed by words, and others byte by byte.
 *
 * Registers: see below. In loops over blocks, a1 to a3 hold the arguments.
 *
 * Cycles of a call from C, and of a block of 16 bytes in the loops with 8 rounds:
 *
 *                   12 rounds  8 rounds  6 rounds  absorbed  encrypted  decrypted  flash (all)
 *   FE310 (E31)          1488      1014       780       967        972        976      2.5 KB
 *   RP2350 (Hazard3)     1488      1014       777       973        978        982
 *   FE310, fast32 in C   1637      1113       845
 */
#include "riscv.h"

#if PW_RV32I

#include "constants.h"
#include "variant.h"

/* The lower and upper halves of words x0 to x4. */
#define low0 s0
#define low1 s1
#define low2 s2
#define low3 s3
#define low4 s4
#define high0 s5
#define high1 s6
#define high2 s7
#define high3 s8
#define high4 s9
/* The lower halves between the layers, and scratch. */
#define mid0 t0
#define mid1 t1
#define mid2 t2
#define mid3 t3
#define mid4 t4
#define t t5
#define u t6
#define v a6
#define w a7
/* The constant of the next round, and the one that follows the last. */
#define constant a4
#define end a5

#define FRAME 48
#define PRESERVED s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, ra

/* The substitution layer for a half; x2 and x3 are complements before and after it. Results are in
 * y0 to y4, which may be the same registers. */
	.macro	substitute x0, x1, x2, x3, x4, y0, y1, y2, y3, y4
	xor	\x0, \x0, \x4
	xor	\x4, \x4, \x3
	not	\x1, \x1
	xor	\x2, \x2, \x1
	and	u, \x4, \x0
	or	v, \x0, \x1
	and	w, \x1, \x2
	xor	\x0, \x0, w
	or	w, \x2, \x3
	not	t, \x4
	and	t, t, \x3
	xor	\y2, \x2, t
	xor	\y4, \x4, v
	xor	\x1, \x1, w
	xor	\x3, \x3, u
	xor	\y1, \x1, \x0
	xor	\y0, \x0, \y4
	xor	\y3, \x3, \y2
	.endm

/* low ^ its rotations by \a and \b bits, which are less than 32; its old value is in \mid. */
	.macro	diffuse low, mid, high, a, b
	srli	t, \mid, \a
	slli	u, \high, 32 - \a
	xor	\low, \mid, t
	srli	v, \mid, \b
	xor	\low, \low, u
	slli	w, \high, 32 - \b
	xor	\low, \low, v
	srli	t, \high, \a
	xor	\low, \low, w
	srli	u, \high, \b
	xor	\high, \high, t
	slli	v, \mid, 32 - \a
	xor	\high, \high, u
	slli	w, \mid, 32 - \b
	xor	\high, \high, v
	xor	\high, \high, w
	.endm

/* The same with rotations by 32 + \a and 32 + \b bits. */
	.macro	diffuse_more low, mid, high, a, b
	srli	t, \high, \a
	slli	u, \mid, 32 - \a
	xor	\low, \mid, t
	srli	v, \high, \b
	xor	\low, \low, u
	slli	w, \mid, 32 - \b
	xor	\low, \low, v
	slli	t, \high, 32 - \a
	xor	\low, \low, w
	slli	u, \high, 32 - \b
	xor	\high, \high, t
	srli	v, \mid, \a
	xor	\high, \high, u
	srli	w, \mid, \b
	xor	\high, \high, v
	xor	\high, \high, w
	.endm

/* Rotations by 7 and 41 bits. */
	.macro	diffuse_4 low, mid, high
	srli	t, \mid, 7
	slli	u, \high, 25
	xor	\low, \mid, t
	srli	v, \high, 9
	xor	\low, \low, u
	slli	w, \mid, 23
	xor	\low, \low, v
	srli	t, \high, 7
	xor	\low, \low, w
	slli	u, \high, 23
	xor	\high, \high, t
	slli	v, \mid, 25
	xor	\high, \high, u
	srli	w, \mid, 9
	xor	\high, \high, v
	xor	\high, \high, w
	.endm

/* A round; its constant, already added to low2, is the only part that differs. */
	.macro	layers
	substitute low0, low1, low2, low3, low4, mid0, mid1, mid2, mid3, mid4
	substitute high0, high1, high2, high3, high4, high0, high1, high2, high3, high4
	diffuse	low0, mid0, high0, 19, 28
	diffuse_more low1, mid1, high1, 29, 7
	diffuse	low2, mid2, high2, 1, 6
	diffuse	low3, mid3, high3, 10, 17
	diffuse_4 low4, mid4, high4
	.endm

	.macro	round
	xor	low2, low2, constant
	addi	constant, constant, -ASCON_STEP
	layers
	.endm

	.macro	transfer instruction
	each_word \instruction, a0, 0, low0, high0, low1, high1, low2, high2, low3, high3, low4, high4
	.endm

/* Changes between x2 and x3 and their complements. */
	.macro	complement
	not	low2, low2
	not	high2, high2
	not	low3, low3
	not	high3, high3
	.endm

	.macro	begin name
	.balign	4
function \name
	save	FRAME, PRESERVED
	transfer lw
	complement
	li	end, ASCON_END
	.endm

	.macro	finish name
	complement
	transfer sw
	restore_and_return FRAME, PRESERVED
end_function \name
	.endm

/* void ascon_permute(ascon_state *s, unsigned constant) */
begin ascon_permute
	mv	constant, a1
	li	t, ASCON_1_ROUND
	beq	a1, t, 1f
	jal	ascon_halves_rounds
	j	2f
1:	jal	ascon_halves_round
2:
finish ascon_permute

#if defined(ISAP_S_B) && ISAP_S_B == ASCON_1_ROUND

/* void ascon_absorb_bits(ascon_state *s, const uint8_t *bits): 128 bits, with a round after each but
 * the last */
begin ascon_absorb_bits
	li	a3, 128
	lui	end, 0x80000
1:	lbu	a2, (a1)
	addi	a1, a1, 1
	slli	a2, a2, 24
2:	and	t, a2, end
	xor	high0, high0, t
	addi	a3, a3, -1
	beqz	a3, 3f
	slli	a2, a2, 1
	xori	low2, low2, ASCON_1_ROUND
	layers
	andi	t, a3, 7
	bnez	t, 2b
	j	1b
3:
finish ascon_absorb_bits

#endif

/* Loads the halves of a word of 8 bytes at \offset of the input; t and u are scratch. */
	.macro	load_word how, low, high, offset
#if ASCON_BIG_ENDIAN
	load_be	\high, a2, \offset, t, u
	load_be	\low, a2, \offset + 4, t, u
#else
	.ifc	\how, words
	lw	\low, \offset(a2)
	lw	\high, \offset + 4(a2)
	.else
	load_le	\low, a2, \offset, t, u
	load_le	\high, a2, \offset + 4, t, u
	.endif
#endif
	.endm

/* Stores them to the output. */
	.macro	store_word how, low, high, offset
#if ASCON_BIG_ENDIAN
	store_be \high, a1, \offset, t
	store_be \low, a1, \offset + 4, t
#else
	.ifc	\how, words
	sw	\low, \offset(a1)
	sw	\high, \offset + 4(a1)
	.else
	store_le \low, a1, \offset, t
	store_le \high, a1, \offset + 4, t
	.endif
#endif
	.endm

	.macro	absorb_word how, low, high, offset
	load_word \how, mid0, mid1, \offset
	xor	\low, \low, mid0
	xor	\high, \high, mid1
	.endm

	.macro	encrypt_word how, low, high, offset
	absorb_word \how, \low, \high, \offset
	store_word \how, \low, \high, \offset
	.endm

	.macro	decrypt_word how, low, high, offset
	load_word \how, mid0, mid1, \offset
	xor	mid2, \low, mid0
	xor	mid3, \high, mid1
	mv	\low, mid0
	mv	\high, mid1
	store_word \how, mid2, mid3, \offset
	.endm

	.macro	block what, how
	\what\()_word \how, low0, high0, 0
#if ASCON_RATE == 16
	\what\()_word \how, low1, high1, 8
#endif
	.endm

/* A function over blocks: \what is absorb, encrypt or decrypt. */
	.macro	blocks what
begin ascon_\what\()_blocks
1:
	.if	!ASCON_BIG_ENDIAN
	or	t, a1, a2
	andi	t, t, 3
	bnez	t, 2f
	block	\what, words
	j	3f
	.endif
2:	block	\what, bytes
3:	li	constant, ASCON_ROUNDS_B
	.ifnc	\what, absorb
	addi	a1, a1, ASCON_RATE
	.endif
	addi	a2, a2, ASCON_RATE
	jal	ascon_halves_rounds
	addi	a3, a3, -1
	bnez	a3, 1b
finish ascon_\what\()_blocks
	.endm

/* void ascon_absorb_blocks(ascon_state *s, uint8_t *none, const uint8_t *input, size_t blocks) */
	blocks	absorb

#ifdef ASCON_KEY_BYTES

/* void ascon_encrypt_blocks(ascon_state *s, uint8_t *output, const uint8_t *input, size_t blocks) */
	blocks	encrypt

/* void ascon_decrypt_blocks(ascon_state *s, uint8_t *output, const uint8_t *input, size_t blocks) */
	blocks	decrypt

#else

/* void ascon_squeeze_blocks(ascon_state *s, uint8_t *output, const uint8_t *none, size_t blocks) */
begin ascon_squeeze_blocks
1:	li	constant, ASCON_ROUNDS_B
	jal	ascon_halves_rounds
	.if	!ASCON_BIG_ENDIAN
	andi	t, a1, 3
	bnez	t, 2f
	store_word words, low0, high0, 0
	j	3f
	.endif
2:	store_word bytes, low0, high0, 0
3:	addi	a1, a1, ASCON_RATE
	addi	a3, a3, -1
	bnez	a3, 1b
finish ascon_squeeze_blocks

#endif

/* The rounds with the state in registers: an even number, or one. */
	section_for ascon_halves_rounds
	.balign	4
	hidden_entry ascon_halves_rounds
	round
	hidden_entry ascon_halves_round
	round
	bne	constant, end, ascon_halves_rounds
	ret
	.size	ascon_halves_rounds, . - ascon_halves_rounds

#endif
