/*
 * Xoodoo[12], and Xoodyak's loops over whole blocks, for RV32I with and without Zbb.
 *
 * References: J. Daemen et al., "Xoodyak, a lightweight cryptographic scheme" (v2, 2021), the
 * permutation Xoodoo and the mode Cyclist; same names.
 *
 * Scheduling. The twelve lanes are in registers, and shifts by whole lanes only rename them. RV32I
 * has no AND with a complement, and chi has three for a column. Where one of two adjacent lanes is
 * stored as its complement and the other is not, the term is a single AND, or a single OR whose
 * complement changes how the sum is stored. Three lanes in a circle cannot alternate, but one NOT
 * suffices if plane 2 is stored as its complement, and plane 0 in every second round: 7
 * instructions instead of 9. The parities of columns absorb the complements. A round takes 113
 * instructions, with Zbb 69: 28 (12) for the sums of theta, 20 for the rest of theta, 1 for iota,
 * 28 (24) for chi, 36 (12) for rho.
 *
 * Twelve rounds are unrolled. With XOODOO_SMALL, a loop contains four: each of four registers holds
 * the constants of three rounds, ten bits each, and the loop ends when none is left. The state
 * stays in registers between blocks.
 *
 * Registers: s0 to s3 plane 0, s4 to s7 plane 1, s8 to s11 plane 2; t0 a parity, t1 the sum from
 * it, t2 to t4 scratch; a0 to a3 the arguments, a4 to a7 constants with XOODOO_SMALL.
 *
 * Cycles of a call of xoodoo_permute from C, and of a block of 24 bytes in the loops:
 *
 *                                       permutation  encrypted  decrypted  flash (all)
 *   FE310 (E31)                                  1419       1392       1398       7.6 KB
 *   the same, XOODOO_SMALL                       1457       1430       1436       4.3 KB
 *   the same, fast32 in C                        1544
 *   RP2350 (Hazard3)                              886        868        874       5.7 KB
 *   the same, XOODOO_SMALL                        923        905        911       3.6 KB
 *   the same, fast32 in C                         909
 */
#include "riscv.h"

#if PW_RV32I

#include "api.h"

/* The lanes of planes 0, 1 and 2. */
#define a0_ s0
#define a1_ s1
#define a2_ s2
#define a3_ s3
#define b0_ s4
#define b1_ s5
#define b2_ s6
#define b3_ s7
#define c0_ s8
#define c1_ s9
#define c2_ s10
#define c3_ s11
/* With XOODOO_SMALL, the constants of rounds 0, 4, 8, those of rounds 1, 5, 9 and so on. */
#define constants0 a4
#define constants1 a5
#define constants2 a6
#define constants3 a7
/* The parity of a column, the sum computed from it, and scratch. */
#define p t0
#define e t1
#define t t2
#define u t3
#define v t4

#define FRAME 64
#define PRESERVED s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, ra

	.macro	rotate x, n
#if PW_RV_ZBB
	rori	\x, \x, \n
#else
	srli	t, \x, \n
	slli	\x, \x, 32 - \n
	or	\x, \x, t
#endif
	.endm

/* theta for the column a, b, c: adds the sum computed from the parity p of the previous column.
 * Then p becomes the parity of this column, except in the last one. */
	.macro	theta a, b, c, last
#if PW_RV_ZBB
	rori	e, p, 23
	xor	e, e, p
	rori	e, e, 27
#else
	srli	t, p, 27
	slli	u, p, 5
	xor	e, t, u
	srli	t, p, 18
	xor	e, e, t
	slli	u, p, 14
	xor	e, e, u
#endif
	.ifb	\last
	xor	p, \a, \b
	xor	p, p, \c
	.endif
	xor	\a, \a, e
	xor	\b, \b, e
	xor	\c, \c, e
	.endm

/* chi for a column, and the rotations before and after it. In even rounds, \a is stored as it is
 * before and as its complement after chi; in odd rounds, vice versa. */
	.macro	chi odd, a, b, c
	rotate	\c, 21
#if PW_RV_ZBB
	andn	t, \c, \b
	andn	u, \a, \c
	andn	v, \b, \a
#else
	or	t, \b, \c
	not	v, \a
	.if	\odd
	and	u, v, \c
	and	v, \a, \b
	.else
	and	u, \a, \c
	and	v, v, \b
	.endif
#endif
	xor	\a, \a, t
	xor	\b, \b, u
	xor	\c, \c, v
	rotate	\b, 31
	rotate	\c, 24
	.endm

	.macro	round r, constant, b0, b1, b2, b3, c0, c1, c2, c3
	xor	p, a3_, \b3
	xor	p, p, \c3
	theta	a0_, \b0, \c0
	theta	a1_, \b1, \c1
	theta	a2_, \b2, \c2
	theta	a3_, \b3, \c3, last
#ifdef XOODOO_SMALL
	andi	t, \constant, 0x3ff
	srli	\constant, \constant, 10
	xor	a0_, a0_, t
#else
	xori	a0_, a0_, \constant
#endif
	chi	(\r & 1), a0_, \b3, \c0
	chi	(\r & 1), a1_, \b0, \c1
	chi	(\r & 1), a2_, \b1, \c2
	chi	(\r & 1), a3_, \b2, \c3
	.endm

	.macro	four_rounds constant0, constant1, constant2, constant3
	round	0, \constant0, b0_, b1_, b2_, b3_, c0_, c1_, c2_, c3_
	round	1, \constant1, b3_, b0_, b1_, b2_, c2_, c3_, c0_, c1_
	round	2, \constant2, b2_, b3_, b0_, b1_, c0_, c1_, c2_, c3_
	round	3, \constant3, b1_, b2_, b3_, b0_, c2_, c3_, c0_, c1_
	.endm

	.macro	set_constants register, first, second, third
	li	\register, \first | (\second << 10) | (\third << 20)
	.endm

	.macro	transfer instruction
	each_word \instruction, a0, 0, a0_, a1_, a2_, a3_, b0_, b1_, b2_, b3_, c0_, c1_, c2_, c3_
	.endm

/* Changes between plane 2 and its complement, if it is stored so. */
	.macro	complement
#if !PW_RV_ZBB
	not	c0_, c0_
	not	c1_, c1_
	not	c2_, c2_
	not	c3_, c3_
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

/* void xoodoo_permute(xoodoo_state *state) */
begin xoodoo_permute
	jal	xoodoo_rounds
finish xoodoo_permute

/* Loads words of input into t and \x, and adds them to lanes. */
	.macro	add_word how, lane, i
	.ifc	\how, words
	lw	t, 4 * \i(a2)
	.else
	load_le	t, a2, 4 * \i, u, v
	.endif
	xor	\lane, \lane, t
	.endm

	.macro	store_lane how, lane, i
	.ifc	\how, words
	sw	\lane, 4 * \i(a1)
	.else
	store_le \lane, a1, 4 * \i, u
	.endif
	.endm

	.macro	encrypt_word how, lane, i
	add_word \how, \lane, \i
	store_lane \how, \lane, \i
	.endm

/* The output is the sum of a lane and a word of input, which becomes the lane. */
	.macro	decrypt_word how, lane, i
	add_word \how, \lane, \i
	store_lane \how, \lane, \i
	mv	\lane, t
	.endm

/* Applies \what to consecutive lanes. */
	.macro	each_lane what, how, lanes:vararg
	.set	.Li, 0
	.irp	lane, \lanes
	\what	\how, \lane, .Li
	.set	.Li, .Li + 1
	.endr
	.endm

/* A function over blocks: before each the permutation, after each 1 is added to the byte that
 * follows it, in \padded. Addresses that have to be aligned are in a2 and \other. */
	.macro	blocks name, what, rate, other, padded, lanes:vararg
begin \name
1:	jal	xoodoo_rounds
	or	t, a2, \other
	andi	t, t, 3
	bnez	t, 2f
	each_lane \what, words, \lanes
	j	3f
2:	each_lane \what, bytes, \lanes
3:	xori	\padded, \padded, 1
	.ifnc	\other, a2
	addi	a1, a1, \rate
	.endif
	addi	a2, a2, \rate
	addi	a3, a3, -1
	bnez	a3, 1b
finish \name
	.endm

/* void xoodyak_absorb_44(xoodoo_state *state, uint8_t *none, const uint8_t *input, size_t blocks)
 *                         */
	blocks	xoodyak_absorb_44, add_word, 44, a2, c3_, a0_, a1_, a2_, a3_, b0_, b1_, b2_, b3_, c0_, c1_, c2_

/* void xoodyak_absorb_16(xoodoo_state *state, uint8_t *none, const uint8_t *input, size_t blocks)
 *                         */
	blocks	xoodyak_absorb_16, add_word, 16, a2, b0_, a0_, a1_, a2_, a3_

/* void xoodyak_encrypt_24(xoodoo_state *state, uint8_t *output, const uint8_t *input, size_t
 *                         blocks) */
	blocks	xoodyak_encrypt_24, encrypt_word, 24, a1, b2_, a0_, a1_, a2_, a3_, b0_, b1_

/* void xoodyak_decrypt_24(xoodoo_state *state, uint8_t *output, const uint8_t *input, size_t
 *                         blocks) */
	blocks	xoodyak_decrypt_24, decrypt_word, 24, a1, b2_, a0_, a1_, a2_, a3_, b0_, b1_

	section_for xoodoo_rounds
	.balign	4
	hidden_entry xoodoo_rounds
#ifdef XOODOO_SMALL
	set_constants constants0, 0x058, 0x120, 0x380
	set_constants constants1, 0x038, 0x014, 0x0f0
	set_constants constants2, 0x3c0, 0x060, 0x1a0
	set_constants constants3, 0x0d0, 0x02c, 0x012
1:	four_rounds constants0, constants1, constants2, constants3
	bnez	constants0, 1b
#else
	four_rounds 0x058, 0x038, 0x3c0, 0x0d0
	four_rounds 0x120, 0x014, 0x060, 0x02c
	four_rounds 0x380, 0x0f0, 0x1a0, 0x012
#endif
	ret
	.size	xoodoo_rounds, . - xoodoo_rounds

#endif
