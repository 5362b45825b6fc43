/*
 * ChaCha20 for RV32I, with and without Zbb: the block function, and the encryption of whole blocks.
 *
 * References: RFC 8439 (2018), sections 2.1 to 2.4; same names.
 *
 * Scheduling. The sixteen words are in registers. A quarter round takes 20 instructions, with Zbb
 * 12; a loop contains a double round. Compilers produce the same rounds. What they lack is the
 * encryption: words of key stream are added to the input without being stored before, and no sum
 * waits for a load.
 *
 * Registers: s0 to s11 and a4 to a7 words, t0 the double rounds that are left, t1 to t3 scratch.
 *
 * Cycles of a call of chacha20_block from C, and of a block of 64 bytes in the encryption:
 *
 *                     chacha20_block  encrypted block   flash  chacha20_block in C
 *   FE310 (E31)                 1732             1739  2.1 KB                 1733
 *   RP2350 (Hazard3)            1086             1102  1.8 KB                 1088
 */
#include "riscv.h"

#if PW_RV32I

#define WORDS s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, a4, a5, a6, a7
#define left t0
#define t t1
#define u t2
#define v t3

#define FRAME 64
#define PRESERVED s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, ra

/* x = (x ^ y) <<< \n */
	.macro	xor_rotate x, y, n
	xor	\x, \x, \y
#if PW_RV_ZBB
	rori	\x, \x, 32 - \n
#else
	slli	t, \x, \n
	srli	\x, \x, 32 - \n
	or	\x, \x, t
#endif
	.endm

	.macro	quarter_round a, b, c, d
	add	\a, \a, \b
	xor_rotate \d, \a, 16
	add	\c, \c, \d
	xor_rotate \b, \c, 12
	add	\a, \a, \b
	xor_rotate \d, \a, 8
	add	\c, \c, \d
	xor_rotate \b, \c, 7
	.endm

/* Adds consecutive words at a0 + \offset: three, so that no addition waits for its operand. */
	.macro	add_words offset, x, y, z
	each_word lw, a0, \offset, t, u, v
	add	\x, \x, t
	add	\y, \y, u
	add	\z, \z, v
	.endm

/* The block for the state at a0, in WORDS. */
	section_for chacha20_rounds
	.balign	4
	hidden_entry chacha20_rounds
	each_word lw, a0, 0, WORDS
	li	left, 10
	.balign	4
1:	quarter_round s0, s4, s8, a4
	quarter_round s1, s5, s9, a5
	quarter_round s2, s6, s10, a6
	quarter_round s3, s7, s11, a7
	quarter_round s0, s5, s10, a7
	quarter_round s1, s6, s11, a4
	quarter_round s2, s7, s8, a5
	quarter_round s3, s4, s9, a6
	addi	left, left, -1
	bnez	left, 1b
	add_words 0, s0, s1, s2
	add_words 12, s3, s4, s5
	add_words 24, s6, s7, s8
	add_words 36, s9, s10, s11
	add_words 48, a4, a5, a6
	lw	t, 60(a0)
	add	a7, a7, t
	ret
	.size	chacha20_rounds, . - chacha20_rounds

/* void chacha20_block(uint32_t block[16], const uint32_t state[16]) */
function chacha20_block
	save	FRAME, PRESERVED
	mv	a2, a0
	mv	a0, a1
	jal	chacha20_rounds
	each_word sw, a2, 0, WORDS
	restore_and_return FRAME, PRESERVED
end_function chacha20_block

/* The output is the input + a word, for two words, so that no sum waits for its operand. */
	.macro	encrypt_words first, second, more:vararg
	lw	t, .Lat(a2)
	lw	u, .Lat + 4(a2)
	xor	t, t, \first
	xor	u, u, \second
	sw	t, .Lat(a1)
	sw	u, .Lat + 4(a1)
	.set	.Lat, .Lat + 8
	.ifnb	\more
	encrypt_words \more
	.endif
	.endm

/* The same for one word with any alignment. */
	.macro	encrypt_bytes word
	load_le	t, a2, .Lat, u, v
	xor	t, t, \word
	store_le t, a1, .Lat, u
	.endm

/* void chacha20_encrypt_blocks(uint32_t state[16], uint8_t *output, const uint8_t *input, size_t
 *                              blocks) */
function chacha20_encrypt_blocks
	save	FRAME, PRESERVED
1:	jal	chacha20_rounds
	lw	u, 48(a0)
	or	t, a1, a2
	andi	t, t, 3
	addi	u, u, 1
	sw	u, 48(a0)
	bnez	t, 2f
	.set	.Lat, 0
	encrypt_words WORDS
	j	3f
2:	.set	.Lat, 0
	.irp	word, WORDS
	encrypt_bytes \word
	.set	.Lat, .Lat + 4
	.endr
3:	addi	a1, a1, 64
	addi	a2, a2, 64
	addi	a3, a3, -1
	bnez	a3, 1b
	restore_and_return FRAME, PRESERVED
end_function chacha20_encrypt_blocks

#endif
