/*
 * GIFT-128 encryption on two shares, fixsliced, for Armv7-M.
 *
 * References: S. Banik et al., "GIFT-COFB v1.1" (2021), chapter 2; A. Adomnicai, Z. Najm, T.
 * Peyrin, "Fixslicing: A New GIFT Representation" (TCHES 2020), section 3. Y. Ishai, A. Sahai, D.
 * Wagner, CRYPTO 2003, and H. Gross, S. Mangard, T. Korak, TIS 2016: the product.
 *
 * Scheduling. All eight words of the block are in registers that pw_random32 preserves. Within the
 * function, the second share of each row is turned: its halves are exchanged. A bit of one share
 * then meets another bit's share in registers and operand latches. Moving bits within nibbles,
 * bytes, pairs and halves of a word commutes with that; in the third of five rounds, the second
 * share's masks are exchanged too. Round keys are turned as they are added. Only products need both
 * shares in the same places: there, the second operand is rotated in the instruction, which costs
 * nothing. Their order is that of Ascon's assembly (ascon-masked/native/armv7m): the products of
 * each share alone, in register t, and then the two products of different shares in register u,
 * each with the random word before it is added to a share.
 *
 * Shares of a row still have the same places where bits of one share have moved by 16: in the third
 * and the fifth round. The linear layer therefore processes all rows of the first share, and then
 * those of the second one. So it does with round keys, which are not turned in memory: the second
 * share's go to each other's register.
 *
 * The code repeats every five rounds, and moves bits within fields, as in gift/native/armv7m. Each
 * product follows its random word, and the linear layer the last one, for generators that need time
 * for the next one.
 *
 * Registers: R4 to R7 the first shares of S_0 to S_3, R8 to R11 the second ones; S_0 and S_3 are
 * exchanged in each round. Products: R0 the random word, R3 and R12 scratch. Linear layer: R1 the
 * round keys, R2 and R3 two of them, LR a constant or a mask, R12 scratch.
 *
 * Cycles of a call, with the part's generator, and on the STM32F103 and the RP2350 with the one in
 * software:
 *
 *                        assembly     C
 *   SAM3X8E                 15436  17283
 *   SAMD51                  14878  15096
 *   STM32F407 at 24 MHz      5885   9172
 *   STM32F103 at 24 MHz      5405   9236
 *   RP2350 (Cortex-M33)      5824
 */
#include "../native.h"

/* The sum with a constant is not complemented; constants.h lists the complements. */
#define UINT32_C(x) ~(x)
#include "fixsliced32/constants.h"

#if MASKED_NATIVE_ENCRYPT && PW_ARMV7M

/* The halves of a share with this distance are exchanged. */
#define TURN 16

#define random r0
#define t r3
#define u r12
#define keys r1
#define constant lr
#define mask lr

/* The stack: the arguments, the constants of the next five rounds, and the caller's registers. */
#define STATE 0
#define KEYS 4
#define CONSTANTS 8
#define SAVED 12
#define FRAME 48
/* Between the round keys of both shares. */
#define SHARE 320

/* The first share's product with itself. */
	.macro	nor	to, x, y
	mvn	\to, \x
	bic	\to, \to, \y
	.endm

/* z += y * x. Registers end with `a` for the first and `b` for the second share. \own is the
 * product of \xa and \ya, \left the one of an \x with \ya, \right the one of \yb with \xa: `and`,
 * or `bic` if the latter is complemented. */
	.macro	add_product za, zb, ya, yb, xa, xb, own=and, left=and, right=and
	bl	pw_random32
	and	t, \yb, \xb
	eor	\zb, \zb, t
	\own	t, \xa, \ya
	eor	\za, \za, t
	\left	u, \xb, \ya, ror #TURN
	eor	u, random, u
	eor	\za, \za, u, ror #TURN
	\right	u, \yb, \xa, ror #TURN
	eor	u, random, u
	eor	\zb, \zb, u
	.endm

/* z += x */
	.macro	add_row za, zb, xa, xb
	eor	\za, \za, \xa
	eor	\zb, \zb, \xb
	.endm

/* SubCells. \aa, \ab becomes S_3, \da, \db becomes S_0; S_1 and S_2 are complemented. */
	.macro	sub_cells aa, ab, da, db
	add_product r5, r9, \aa, \ab, r6, r10
	add_product \aa, \ab, r5, r9, \da, \db
	add_product r6, r10, \aa, \ab, r5, r9, nor, bic, bic
	add_row	\da, \db, r6, r10
	add_row	r5, r9, \da, \db
	add_product r6, r10, r5, r9, \aa, \ab, bic, bic
	.endm

/* Rotates each field of a word, together with a later rotation of the whole word by \later. \fields
 * selects the bits that cross the border of a field: they move to the position from which that
 * rotation brings them into their field. */
	.macro	move	s, fields, turn
	and	u, \s, #\fields
	bic	\s, \s, #\fields
	eor	\s, \s, u, ror #\turn
	.endm

/* Exchanges the bits of each pair in one half of \s: the one that \mask selects after a rotation by
 * \turn. */
	.macro	exchange_pairs s, turn
	eor	u, \s, \s, ror #1
	and	u, u, mask, ror #\turn
	eor	\s, \s, u
	eor	\s, \s, u, ror #31
	.endm

/* Adds the first share of the keys of round \at to S_1 and S_2, after their rotation right by \n1
 * and \n2, and the constant to \s3. */
	.macro	add_round_key at, n1, n2, s3
	ldrd	r2, r3, [keys, #8 * \at]
	ldr	constant, [sp, #CONSTANTS]
	ldr	constant, [constant, #4 * \at]
	eor	r5, r2, r5, ror #\n1
	eor	r6, r3, r6, ror #\n2
	eor	\s3, \s3, constant
	.endm

	.macro	rotate	s, n
	.if	\n != 0
	ror	\s, \s, #\n
	.endif
	.endm

/* The same for the second share. */
	.macro	add_round_key_turned at, n1, n2
	ldrd	r3, r2, [keys, #SHARE + 8 * \at]
	rotate	r9, \n1
	rotate	r10, \n2
	eor	r9, r9, r3, ror #TURN
	eor	r10, r10, r2, ror #TURN
	.endm

/* The bits of a share in the first four of five rounds. \s0 is the row that becomes S_0, the second
 * of both exchanged ones. */
	.macro	move_1	s0, s1, s2
	move	\s0, 0x11111111, 28
	ror	\s0, \s0, #1
	move	\s2, 0x88888888, 4
	move	\s1, 0x33333333, 28
	.endm

	.macro	move_2	s0, s1, s2
	move	\s0, 0x000f000f, 16
	ror	\s0, \s0, #4
	move	\s2, 0xf000f000, 16
	rev16	\s1, \s1
	.endm

	.macro	move_3	s0, s1, s2, turn
	movw	mask, #0x5555
	exchange_pairs \s0, \turn
	ror	\s0, \s0, #16
	exchange_pairs \s2, (16 + \turn) & 31
	move	\s1, 0x55555555, 30
	.endm

	.macro	move_4	s0, s1, s2
	move	\s0, 0xc0c0c0c0, 8
	ror	\s0, \s0, #30
	move	\s2, 0x03030303, 24
	move	\s1, 0x0f0f0f0f, 24
	.endm

/* Rows change their places in the fifth round. */
	.macro	move_5	s0, s3
	mov	u, \s0
	ror	\s0, \s3, #24
	mov	\s3, u
	.endm

/* Loads or stores the block at R0, the first shares before the second ones. */
	.macro	each_share access
	\access	r4, [r0]
	\access	r5, [r0, #8]
	\access	r6, [r0, #16]
	\access	r7, [r0, #24]
	\access	r8, [r0, #4]
	\access	r9, [r0, #12]
	\access	r10, [r0, #20]
	\access	r11, [r0, #28]
	.endm

	.macro	turn_second_shares
	.irp	s, r8, r9, r10, r11
	ror	\s, \s, #TURN
	.endr
	.endm

/* Saves or restores the caller's registers. They may hold both shares of a word, so the address of
 * the keys passes the bus after each one. */
	.macro	each_register access
	.set	.Lat, SAVED
	.irp	register, r4, r5, r6, r7, r8, r9, r10, r11
	\access	\register, [sp, #.Lat]
	\access	keys, [sp, #KEYS]
	.set	.Lat, .Lat + 4
	.endr
	.endm

/* Encrypts the block at R0 with the round keys at R1. */
	function masked_encrypt
	adr	r2, constants
	sub	sp, sp, #FRAME
	str	r0, [sp, #STATE]
	str	r2, [sp, #CONSTANTS]
	str	lr, [sp, #SAVED + 32]
	each_register str
	each_share ldr
	turn_second_shares
five_rounds:
	sub_cells r4, r8, r7, r11
	ldr	keys, [sp, #KEYS]
	move_1	r7, r5, r6
	add_round_key 0, 2, 31, r4
	move_1	r11, r9, r10
	add_round_key_turned 0, 2, 31
	sub_cells r7, r11, r4, r8
	ldr	keys, [sp, #KEYS]
	move_2	r4, r5, r6
	add_round_key 1, 0, 28, r7
	move_2	r8, r9, r10
	add_round_key_turned 1, 0, 28
	sub_cells r4, r8, r7, r11
	ldr	keys, [sp, #KEYS]
	move_3	r7, r5, r6, 0
	add_round_key 2, 1, 16, r4
	move_3	r11, r9, r10, TURN
	add_round_key_turned 2, 1, 16
	sub_cells r7, r11, r4, r8
	ldr	keys, [sp, #KEYS]
	move_4	r4, r5, r6
	add_round_key 3, 4, 2, r7
	move_4	r8, r9, r10
	add_round_key_turned 3, 4, 2
	sub_cells r4, r8, r7, r11
	ldr	keys, [sp, #KEYS]
	move_5	r4, r7
	add_round_key 4, 16, 8, r7
	move_5	r8, r11
	add_round_key_turned 4, 16, 8
	adds	keys, keys, #40
	ldr	r2, [sp, #CONSTANTS]
	adds	r2, r2, #20
	strd	keys, r2, [sp, #KEYS]
	adr	r0, constants_end
	cmp	r2, r0
	bne.w	five_rounds
	turn_second_shares
	ldr	r0, [sp, #STATE]
	each_share str
	each_register ldr
	ldr	lr, [sp, #SAVED + 32]
	add	sp, sp, #FRAME
	bx	lr

	.balign	4
constants:
	.word	GIFT128_CONSTANTS
constants_end:
	end_function masked_encrypt

#endif
