/*
 * Ascon's permutations and the loops over whole blocks, with words in two halves, for RV32I.
 *
 * References: NIST SP 800-232 (2025), sections 3.2 to 3.4; Ascon v1.2 (2021), section 2.6.
 *
 * Scheduling. The state is in ten registers. RV32I rotates with two shifts, so interleaved bits
 * would save three instructions of a round only, less than the conversion costs. The substitution
 * layer (see registers.h) writes the lower halves to other registers, so that the linear layer
 * needs no moves. A round takes 36 instructions for the substitution layer, 80 for the linear layer
 * and 2 for the constant. A loop contains two rounds.
 *
 * Registers: registers.h; the first parts are the lower halves. a4 holds the constant of the next
 * round, a5 the one that follows the last.
 *
 * Cycles of a call from C, and of a block of 16 bytes in the loops with 8 rounds:
 *
 *                   12 rounds  8 rounds  6 rounds  absorbed  encrypted  decrypted  flash (all)
 *   FE310 (E31)          1488      1014       780       970        975        979       2.5 KB
 *   RP2350 (Hazard3)     1438       978       748       945        950        954       2.3 KB
 *   FE310, fast32 in C   1637      1113       845
 */
#include "riscv.h"

#if PW_RV32I

#include "constants.h"
#include "registers.h"
#include "variant.h"

#define constant a4
#define end a5

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

	.macro	layers
	substitution_layer
	diffuse	x0a, mid0, x0b, 19, 28
	diffuse_more x1a, mid1, x1b, 29, 7
	diffuse	x2a, mid2, x2b, 1, 6
	diffuse	x3a, mid3, x3b, 10, 17
	diffuse_4 x4a, mid4, x4b
	.endm

	.macro	round
	xor	x2a, x2a, constant
	addi	constant, constant, -ASCON_STEP
	layers
	.endm

	.macro	add_constant_of_one
	xori	x2a, x2a, ASCON_1_ROUND
	.endm

	.macro	rounds
	mv	constant, a1
	li	end, ASCON_END
	li	t, ASCON_1_ROUND
	beq	a1, t, 1f
	jal	ascon_halves_rounds
	j	2f
1:	jal	ascon_halves_round
2:
	.endm

	.macro	rounds_b
	li	constant, ASCON_ROUNDS_B
	li	end, ASCON_END
	jal	ascon_halves_rounds
	.endm

/* Words of the state are those of the input. */
	.macro	from_halves a, b
	.endm

	.macro	to_halves a, b
	.endm

#include "functions.h"

/* The rounds: an even number, or one. */
	section_for ascon_halves_rounds
	hidden_entry ascon_halves_rounds
	round
	hidden_entry ascon_halves_round
	round
	bne	constant, end, ascon_halves_rounds
	ret
	.size	ascon_halves_rounds, . - ascon_halves_rounds

#endif
