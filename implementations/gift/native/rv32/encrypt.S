/*
 * GIFT-128 encryption, fixsliced, for RV32I with and without Zbb.
 *
 * References: S. Banik et al., "GIFT-COFB v1.1" (2021), chapter 2; A. Adomnicai, Z. Najm, T.
 * Peyrin, "Fixslicing: A New GIFT Representation" (TCHES 2020), section 3.
 *
 * Scheduling. The code repeats every five rounds, as in fixsliced32/encrypt.c, and uses the same
 * complements of round keys and constants. RV32I has no AND with a complement. Which words are
 * stored as complements therefore differs from round to round: the substitutions of five rounds
 * take 56 instructions instead of 60, and the first round begins without complements. A rotation
 * of all fields of a word takes five instructions; the masks are in twelve registers. In the third
 * round, where a word is rotated and half of its bits are exchanged with their neighbours, three
 * shifts and two masks do both. In the last of five rounds, S_0 and S_3 are written to each
 * other's register. Five rounds take 162 instructions: 56 for the substitutions, 73 for the
 * permutations, 30 for round keys and constants, 3 for the loop.
 *
 * Registers: a2 to a5 S_0 to S_3, of which S_0 and S_3 are exchanged in each round; t3 and t4 the
 * round key, t5 the constant; t0 and t1 scratch; s0 to s11 masks; a1, a6 and a7 addresses.
 *
 * Cycles of a call from C, without and with Zbb:
 *
 *   FE310 (E31)        1373   (in C: 1655)
 *   RP2350 (Hazard3)   1294   (in C: 1523)
 */
#include "riscv.h"

#if PW_RV32I

#define key a1
#define constant a6
#define end a7
/* S_0 to S_3; S_0 and S_3 are exchanged in each round. */
#define x0 a2
#define x1 a3
#define x2 a4
#define x3 a5
/* The round key and the constant. */
#define u t3
#define v t4
#define w t5
/* Scratch. */
#define t t0
#define r t1
/* Masks. */
#define low_1_of_4 s0
#define low_2_of_4 s1
#define low_3_of_4 s2
#define low_4_of_16 s3
#define low_8_of_16 s4
#define low_12_of_16 s5
#define low_1_of_2 s6
#define even_half s7 /* 0x5555 */
#define odd_half s8  /* 0xaaaa */
#define low_2_of_8 s9
#define low_4_of_8 s10
#define low_6_of_8 s11

/* x ^= y \op z */
	.macro	add_term x, op, y, z
	\op	t, \y, \z
	xor	\x, \x, t
	.endm

/* x ^= ~y \op z */
	.macro	add_term_not x, op, y, z
#if PW_RV_ZBB
	\op\()n	t, \z, \y
#else
	not	t, \y
	\op	t, t, \z
#endif
	xor	\x, \x, t
	.endm

/* All fields of \width bits of x >>>= n; \mask are the lower \width - \n bits of each. */
	.macro	rotate_fields x, n, width, mask
	slli	r, \x, \width - \n
	srli	\x, \x, \n
	xor	\x, \x, r
	and	\x, \x, \mask
	xor	\x, \x, r
	.endm

/* to = x >>> n; \to is not \x. */
	.macro	rotated to, x, n
#if PW_RV_ZBB
	rori	\to, \x, \n
#else
	slli	r, \x, 32 - \n
	srli	\to, \x, \n
	or	\to, \to, r
#endif
	.endm

/* Loads the words of the \i-th of five rounds. */
	.macro	load_round i
	lw	u, 8 * \i(key)
	lw	v, 8 * \i + 4(key)
	lw	w, 4 * \i(constant)
	.endm

	.macro	add_round_key s3
	xor	x1, x1, u
	xor	x2, x2, v
	xor	\s3, \s3, w
	.endm

/* void gift128_encrypt(gift128_state *state, const gift128_key *key) */
function gift128_encrypt
	save	48, s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11
	each_word lw, a0, 0, x0, x1, x2, x3
	li	low_1_of_4, 0x11111111
	slli	low_2_of_4, low_1_of_4, 1
	or	low_2_of_4, low_2_of_4, low_1_of_4
	slli	low_3_of_4, low_1_of_4, 2
	or	low_3_of_4, low_3_of_4, low_2_of_4
	li	low_4_of_16, 0x000f000f
	slli	t, low_4_of_16, 4
	or	low_8_of_16, t, low_4_of_16
	slli	low_12_of_16, t, 4
	or	low_12_of_16, low_12_of_16, low_8_of_16
	li	low_1_of_2, 0x55555555
	srli	even_half, low_1_of_2, 16
	slli	odd_half, even_half, 1
	li	low_2_of_8, 0x03030303
	slli	t, low_2_of_8, 2
	or	low_4_of_8, t, low_2_of_8
	slli	low_6_of_8, t, 2
	or	low_6_of_8, low_6_of_8, low_4_of_8
	la	constant, gift128_constants
	addi	end, constant, 160

	/* No word is complemented. */
1:	load_round 0
	add_term x1, and, x0, x2
	add_term x0, and, x1, x3
	add_term x2, or, x0, x1
	xor	x3, x3, x2
	xor	x1, x1, x3
	add_term x2, and, x0, x1
	rotate_fields x3, 1, 4, low_3_of_4
	rotate_fields x2, 3, 4, low_1_of_4
	rotate_fields x1, 2, 4, low_2_of_4
	add_round_key x0

	/* All words are. */
	load_round 1
	add_term x1, or, x3, x2
	add_term_not x3, or, x1, x0
	add_term x2, or, x3, x1
	xor	x0, x0, x2
	xor	x1, x1, x0
	add_term x2, and, x3, x1
	rotate_fields x0, 4, 16, low_12_of_16
	rotate_fields x2, 12, 16, low_4_of_16
	rotate_fields x1, 8, 16, low_8_of_16
	add_round_key x3

	/* S_0, S_1 and S_3 are. */
	load_round 2
	add_term_not x1, and, x0, x2
	add_term x0, or, x1, x3
	add_term_not x2, or, x1, x0
	xor	x3, x3, x2
	xor	x1, x1, x3
	add_term x2, and, x0, x1
	not	v, v
	rotate_fields x1, 1, 2, low_1_of_2
	srli	t, x2, 17		/* S_2: the upper half, exchanged, becomes the lower one */
	srli	r, x2, 15
	slli	x2, x2, 16
	and	t, t, even_half
	and	r, r, odd_half
	or	x2, x2, t
	or	x2, x2, r
	and	t, x3, even_half	/* S_3: the lower half, exchanged, becomes the upper one */
	and	r, x3, odd_half
	srli	x3, x3, 16
	slli	t, t, 17
	slli	r, r, 15
	or	x3, x3, t
	or	x3, x3, r
	add_round_key x0

	/* S_1 and S_3 are. */
	load_round 3
	add_term x1, and, x3, x2
	add_term x3, or, x1, x0
	add_term x2, and, x3, x1
	xor	x0, x0, x2
	xor	x1, x1, x0
	add_term x2, or, x3, x1
	rotate_fields x2, 2, 8, low_6_of_8
	rotate_fields x0, 6, 8, low_2_of_8
	rotate_fields x1, 4, 8, low_4_of_8
	add_round_key x3

	/* S_0 and S_2 are. */
	load_round 4
	add_term x1, or, x0, x2
	add_term_not x0, and, x1, x3
	add_term x2, and, x0, x1
	xor	x3, x3, x2
	xor	x1, x1, x3
	add_term x2, or, x0, x1
	not	x3, x3
	rotated	t, x3, 24
	xor	x3, x0, w
	mv	x0, t
	rotated	t, x1, 16
	xor	x1, t, u
	rotated	t, x2, 8
	xor	x2, t, v
	addi	constant, constant, 20
	addi	key, key, 40
	bne	constant, end, 1b

	each_word sw, a0, 0, x0, x1, x2, x3
	restore_and_return 48, s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11
end_function gift128_encrypt

#endif
