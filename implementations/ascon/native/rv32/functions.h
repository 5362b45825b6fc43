/*
 * Shared by Ascon's assembly for RV32I: the functions of ../native.h, for the macros of a
 * representation:
 *
 *   layers                    the two layers of a round, without its constant
 *   from_halves, to_halves    change a word between its halves and its parts
 *   rounds                    the rounds from the one whose constant is in a1
 *   rounds_b                  ASCON_ROUNDS_B rounds
 *   add_constant_of_one       adds the constant of the last round
 *
 * References: NIST SP 800-232 (2025), section 4.1; Ascon v1.2 (2021), section 2.4; "ISAP v2.0"
 * (2021), algorithm 3, for ascon_absorb_bits.
 *
 * The state stays in registers between blocks. Input and output that are aligned to words are
 * accessed by words, and others byte by byte, as are the words of Ascon v1.2 without Zbb: reversing
 * their bytes would take as long. In loops over blocks, a1 to a3 hold the arguments.
 */
#ifndef PENNYWEIGHT_ASCON_NATIVE_RV32_FUNCTIONS_H
#define PENNYWEIGHT_ASCON_NATIVE_RV32_FUNCTIONS_H

/* clang-format off */

/* Whether words are loaded and stored at once where alignment permits. */
#define BY_WORDS (!ASCON_BIG_ENDIAN || PW_RV_ZBB)

#define FRAME 48
#define PRESERVED s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, ra

	.macro	transfer instruction
	each_word \instruction, a0, 0, x0a, x0b, x1a, x1b, x2a, x2b, x3a, x3b, x4a, x4b
	.endm

/* Changes between x2 and x3 and their complements, if they are stored so. */
	.macro	complement
#if !PW_RV_ZBB
	not	x2a, x2a
	not	x2b, x2b
	not	x3a, x3a
	not	x3b, x3b
#endif
	.endm

	.macro	begin name
function \name
	save	FRAME, PRESERVED
	transfer lw
	complement
	.endm

	.macro	finish name
	complement
	transfer sw
	restore_and_return FRAME, PRESERVED
end_function \name
	.endm

/* void ascon_permute(ascon_state *s, unsigned constant) */
begin ascon_permute
	rounds
finish ascon_permute

#if defined(ISAP_S_B) && ISAP_S_B == ASCON_1_ROUND

/* void ascon_absorb_bits(ascon_state *s, const uint8_t *bits): 128 bits, with a round after each
 * but the last; the first bit of the state is the highest one of the second part of x0 */
begin ascon_absorb_bits
	li	a3, 128
	lui	a4, 0x80000
1:	lbu	a2, (a1)
	addi	a1, a1, 1
	slli	a2, a2, 24
2:	and	t, a2, a4
	xor	x0b, x0b, t
	addi	a3, a3, -1
	beqz	a3, 3f
	slli	a2, a2, 1
	add_constant_of_one
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
	.ifc	\how, words
	lw	\high, \offset(a2)
	lw	\low, \offset + 4(a2)
	rev8	\high, \high
	rev8	\low, \low
	.else
	load_be	\high, a2, \offset, t, u
	load_be	\low, a2, \offset + 4, t, u
	.endif
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
	.ifc	\how, words
	rev8	t, \high
	rev8	u, \low
	sw	t, \offset(a1)
	sw	u, \offset + 4(a1)
	.else
	store_be \high, a1, \offset, t
	store_be \low, a1, \offset + 4, t
	.endif
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

	.macro	absorb_word how, a, b, offset
	load_word \how, mid0, mid1, \offset
	from_halves mid0, mid1
	xor	\a, \a, mid0
	xor	\b, \b, mid1
	.endm

	.macro	encrypt_word how, a, b, offset
	to_halves \a, \b
	load_word \how, mid0, mid1, \offset
	xor	\a, \a, mid0
	xor	\b, \b, mid1
	store_word \how, \a, \b, \offset
	from_halves \a, \b
	.endm

	.macro	decrypt_word how, a, b, offset
	to_halves \a, \b
	load_word \how, mid0, mid1, \offset
	xor	mid2, \a, mid0
	xor	mid3, \b, mid1
	mv	\a, mid0
	mv	\b, mid1
	store_word \how, mid2, mid3, \offset
	from_halves \a, \b
	.endm

	.macro	squeeze_word how, a, b, offset
	mv	mid0, \a
	mv	mid1, \b
	to_halves mid0, mid1
	store_word \how, mid0, mid1, \offset
	.endm

	.macro	block what, how
	\what\()_word \how, x0a, x0b, 0
#if ASCON_RATE == 16
	\what\()_word \how, x1a, x1b, 8
#endif
	.endm

/* A block by words if the addresses in \first and \second are aligned, otherwise by bytes. */
	.macro	any_block what, first, second
#if BY_WORDS
	or	t, \first, \second
	andi	t, t, 3
	bnez	t, 2f
	block	\what, words
	j	3f
2:	block	\what, bytes
3:
#else
	block	\what, bytes
#endif
	.endm

/* A function over blocks with input: \what is absorb, encrypt or decrypt. */
	.macro	blocks what, first
begin ascon_\what\()_blocks
1:	any_block \what, \first, a2
	.ifnc	\what, absorb
	addi	a1, a1, ASCON_RATE
	.endif
	addi	a2, a2, ASCON_RATE
	rounds_b
	addi	a3, a3, -1
	bnez	a3, 1b
finish ascon_\what\()_blocks
	.endm

/* void ascon_absorb_blocks(ascon_state *s, uint8_t *none, const uint8_t *input, size_t blocks) */
	blocks	absorb, a2

#ifdef ASCON_KEY_BYTES

/* void ascon_encrypt_blocks(ascon_state *s, uint8_t *output, const uint8_t *input, size_t blocks)
 *                            */
	blocks	encrypt, a1

/* void ascon_decrypt_blocks(ascon_state *s, uint8_t *output, const uint8_t *input, size_t blocks)
 *                            */
	blocks	decrypt, a1

#else

/* void ascon_squeeze_blocks(ascon_state *s, uint8_t *output, const uint8_t *none, size_t blocks) */
begin ascon_squeeze_blocks
1:	rounds_b
	any_block squeeze, a1, a1
	addi	a1, a1, ASCON_RATE
	addi	a3, a3, -1
	bnez	a3, 1b
finish ascon_squeeze_blocks

#endif

/* clang-format on */

#endif
