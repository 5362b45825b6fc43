/*
 * Ascon's permutations and the loops over whole blocks, with interleaved bits, for RV32I with Zbb
 * and Zbkb.
 *
 * References: NIST SP 800-232 (2025), sections 3.2 to 3.4; Ascon v1.2 (2021), section 2.6; G.
 * Bertoni, J. Daemen, M. Peeters, G. Van Assche, R. Van Keer, "Keccak implementation overview"
 * (2012), section 2.1: bit interleaving.
 *
 * Scheduling. The even and the odd bits of a word are in two registers, so that Zbb rotates a word
 * with two instructions. A round takes 73: 2 for its constant, 32 for the substitution layer (see
 * registers.h) and 39 for the linear layer. Zbkb separates the even bits of a word from the odd
 * ones in six instructions, and joins them in as many. The substitution layer writes the even bits
 * to other registers, so that the linear layer needs no moves.
 *
 * Rounds 0 to 3 differ from rounds 4 to 7 only in the constants of the even bits, which are in two
 * registers. So code for eight rounds suffices for twelve.
 *
 * It also assembles without Zbb and Zbkb, where halves.S is faster: a rotation then takes three
 * instructions, a conversion 44.
 *
 * Registers: registers.h; the first parts are the even bits. a4 and a5 hold constants.
 *
 * Cycles of a call from C, and of a block of 16 bytes in the loops with 8 rounds:
 *
 *                   12 rounds  8 rounds  6 rounds  absorbed  encrypted  decrypted  flash (all)
 *   RP2350 (Hazard3)      943       641       501       621        638        642       4.2 KB
 *   the same, bi32 in C   969
 *   FE310 (E31)          1455       984       758      1023       1108       1112       8.0 KB
 */
#include "riscv.h"

#if PW_RV32I

#include "constants.h"
#include "registers.h"
#include "variant.h"

/* The even bits of the constants of the rounds that run twice, alternately. */
#define first a4
#define second a5

/* to = x ^ y, rotated right by \n bits; \scratch may be \to. */
	.macro	xor_rotated to, x, y, n, s
#if PW_RV_ZBB
	rori	\s, \y, \n
	xor	\to, \x, \s
#else
	srli	\s, \y, \n
	xor	\to, \x, \s
	slli	\s, \y, 32 - \n
	xor	\to, \to, \s
#endif
	.endm

/* to = x ^ y, rotated right by \n bits, ^ z, rotated right by \m bits. */
	.macro	xor_two_rotated to, x, y, n, z, m
#if PW_RV_ZBB
	rori	t, \y, \n
	rori	u, \z, \m
	xor	t, t, u
	xor	\to, \x, t
#else
	srli	t, \y, \n
	slli	u, \y, 32 - \n
	xor	t, t, u
	srli	u, \z, \m
	xor	t, t, u
	slli	u, \z, 32 - \m
	xor	t, t, u
	xor	\to, \x, t
#endif
	.endm

	.macro	layers
	substitution_layer
	/* 19 and 28. */
	xor_two_rotated x0a, mid0, mid0, 14, x0b, 9
	xor_two_rotated x0b, x0b, mid0, 10, x0b, 14
	/* 61 and 39. */
	xor_two_rotated x1a, mid1, x1b, 30, x1b, 19
	xor_two_rotated x1b, x1b, mid1, 31, mid1, 20
	/* 1 and 6. */
	xor	x2a, mid2, x2b
	xor_rotated x2a, x2a, mid2, 3, t
	xor_two_rotated x2b, x2b, mid2, 1, x2b, 3
	/* 10 and 17. */
	xor_two_rotated x3a, mid3, mid3, 5, x3b, 8
	xor_two_rotated x3b, x3b, mid3, 9, x3b, 5
	/* 7 and 41. */
	xor_two_rotated x4a, mid4, x4b, 3, x4b, 20
	xor_two_rotated x4b, x4b, mid4, 4, mid4, 21
	.endm

/* A round; the even bits of its constant are \even, a register. */
	.macro	round_of even, odd
	xor	x2a, x2a, \even
	xori	x2b, x2b, \odd
	layers
	.endm

	.macro	round even, odd
	xori	x2a, x2a, \even
	xori	x2b, x2b, \odd
	layers
	.endm

	.macro	add_constant_of_one
	xori	x2a, x2a, 9
	xori	x2b, x2b, 3
	.endm

	.macro	rounds
	li	t, ASCON_8_ROUNDS
	li	first, 6
	li	second, 3
	beq	a1, t, 8f
	bltu	t, a1, 7f
	li	t, ASCON_6_ROUNDS
	beq	a1, t, 6f
	jal	ascon_interleaved_1
	j	9f
6:	jal	ascon_interleaved_6
	j	9f
7:	li	first, 12
	li	second, 9
8:	jal	ascon_interleaved_8
9:
	.endm

	.macro	rounds_b
#if ASCON_ROUNDS_B == ASCON_12_ROUNDS
	li	first, 12
	li	second, 9
	jal	ascon_interleaved_8
#else
	li	first, 6
	li	second, 3
#if ASCON_ROUNDS_B == ASCON_8_ROUNDS
	jal	ascon_interleaved_8
#else
	jal	ascon_interleaved_6
#endif
#endif
	.endm

/* Exchanges the bits of \x under \mask << \n with those of \y under \mask. */
	.macro	exchange x, y, n, mask
	li	mid4, \mask
	srli	t, \x, \n
	xor	t, t, \y
	and	t, t, mid4
	xor	\y, \y, t
	slli	t, t, \n
	xor	\x, \x, t
	.endm

/* The halves of a word become its even and odd bits, in the same registers. */
	.macro	from_halves a, b
#if PW_RV_ZBKB
	unzip	\a, \a
	unzip	\b, \b
	srli	t, \a, 16
	srli	u, \b, 16
	pack	\a, \a, \b
	pack	\b, t, u
#else
	exchange_halves \a, \b
	exchange \a, \b, 8, 0x00ff00ff
	exchange \a, \b, 4, 0x0f0f0f0f
	exchange \a, \b, 2, 0x33333333
	exchange \a, \b, 1, 0x55555555
#endif
	.endm

/* The inverse. */
	.macro	to_halves a, b
#if PW_RV_ZBKB
	srli	t, \a, 16
	srli	u, \b, 16
	pack	\a, \a, \b
	pack	\b, t, u
	zip	\a, \a
	zip	\b, \b
#else
	exchange \a, \b, 1, 0x55555555
	exchange \a, \b, 2, 0x33333333
	exchange \a, \b, 4, 0x0f0f0f0f
	exchange \a, \b, 8, 0x00ff00ff
	exchange_halves \a, \b
#endif
	.endm

/* Exchanges the upper half of \x with the lower one of \y. */
	.macro	exchange_halves x, y
	srli	t, \x, 16
	slli	u, \y, 16
	slli	\x, \x, 16
	srli	\x, \x, 16
	or	\x, \x, u
	srli	\y, \y, 16
	slli	\y, \y, 16
	or	\y, \y, t
	.endm

#include "functions.h"

/* The last eight, six or one of the rounds; twelve if `first` is 12. Otherwise, `first` and
 * `second` are 6 and 3. */
	section_for ascon_interleaved_8
	.balign	4
	hidden_entry ascon_interleaved_8
	round_of first, 12
	round_of second, 12
	hidden_entry ascon_interleaved_6
	round_of first, 9
	round_of second, 9
	li	t, 12
	beq	first, t, 1f
	round	12, 6
	round	9, 6
	round	12, 3
	hidden_entry ascon_interleaved_1
	round	9, 3
	ret
	.balign	4
1:	li	first, 6
	li	second, 3
	j	ascon_interleaved_8
	.size	ascon_interleaved_8, . - ascon_interleaved_8

#endif
