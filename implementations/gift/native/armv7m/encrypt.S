/*
 * GIFT-128 encryption, fixsliced, for Armv7-M.
 *
 * References: S. Banik et al., "GIFT-COFB v1.1" (2021), chapter 2; A. Adomnicai, Z. Najm, T.
 * Peyrin, "Fixslicing: A New GIFT Representation" (TCHES 2020), section 3.
 *
 * Scheduling. The code repeats every five rounds, and complements the same words, as in
 * fixsliced32/encrypt.c. Rotating all fields of a word takes three instructions with an immediate
 * mask: bits that leave their field move to the position from which a rotation of the whole word
 * brings them back. The next instruction that reads the word does that rotation for free; usually
 * it adds the round key. In the last of five rounds, S_0 and S_3 are written to each other's
 * register. Round keys and constants are loaded six words at a time, so that the loads overlap. The
 * order of the instructions in the loop was found with `make schedule` for the Cortex-M33, where a
 * sum with a rotated operand is ready a cycle late (1,126 cycles before); the other cores take the
 * same time in either order.
 *
 * Registers: R0 to R3 S_0 to S_3, of which S_0 and S_3 are exchanged in each round; R4 scratch; R5,
 * R6, R8 and R9 round keys, R7 and R10 constants; R11, R12 and LR their addresses. Constants are in
 * RAM, where reading them does not wait for flash.
 *
 * Cycles of a call from C:
 *
 *   Cortex-M3, 0 wait states   1035
 *   Cortex-M4, 0 wait states   1027
 *   nRF52840                   1027
 *   SAM3X8E                    1274
 *   RP2350 (Cortex-M33)        1086
 */
#include "arm.h"

#if PW_ARMV7M

/* S_0 to S_3; S_0 and S_3 are exchanged in each round. */
#define s0 r0
#define s1 r1
#define s2 r2
#define s3 r3
/* Scratch. */
#define t r4
/* Round keys and constants. */
#define u r5
#define v r6
#define w r7
#define u_next r8
#define v_next r9
#define w_next r10
/* Their addresses, and the end of the constants. */
#define key r11
#define constant r12
#define end lr

/* Rotates each field of \width bits of \s, together with a later rotation of the whole word. \mask
 * selects the bits that cross the border of a field: they move to the position from which that
 * rotation brings them into their field. \turn is \width for a rotation of the fields to the left,
 * otherwise 32 - \width. */
	.macro	fields s, mask, turn
	and	t, \s, #\mask
	bic	\s, \s, #\mask
	eor	\s, \s, t, ror #\turn
	.endm

/* SubCells. \a is first rotated right by \turn. It becomes S_3, written to \to_a; \d becomes S_0,
 * written to \to_d. */
	.macro	sub_cells a, turn, d, to_a, to_d
	orr	t, s2, \a, ror #\turn
	eors	s1, t
	and	t, s1, \d
	eor	\to_a, t, \a, ror #\turn
	bic	t, \to_a, s1
	eors	s2, t
	eor	\to_d, \d, s2
	eor	s1, s1, \to_d
	bic	t, s1, \to_a
	eors	s2, t
	.endm

/* void gift128_encrypt(gift128_state *state, const gift128_key *key) */
function gift128_encrypt
	push	{r0, r4-r11, lr}
	sub	key, r1, #40
	ldr	constant, .Lconstants_address
	load_words r0, 4, s1, s2, s3
	ldr	s0, [r0]
	add	end, constant, #20 * 8
	mvn	s1, s1
	mvn	s2, s2
	mvn	s0, s0, ror #8
	.balign	4
1:	ldr	u, [key, #40]!
	ldr	w, [constant], #20
	load_words key, 4, v, u_next, v_next
	ldr	w_next, [constant, #4 - 20]
	/* Fields of 4 bits. */
	sub_cells s0, 24, s3, s0, s3
	fields	s3, 0x11111111, 28
	fields	s2, 0x88888888, 4
	fields	s1, 0x33333333, 28
	eor	s2, v, s2, ror #31
	eor	s1, u, s1, ror #2
	eors	s0, w
	/* Of 16 bits. */
	sub_cells s3, 1, s0, s3, s0
	fields	s0, 0x000f000f, 16
	fields	s2, 0xf000f000, 16
	rev16	s1, s1
	eor	s1, s1, u_next
	eor	s2, v_next, s2, ror #28
	eor	s3, s3, w_next
	sub_cells s0, 4, s3, s0, s3
	eor	t, s3, s3, ror #1
	/* The whole word and 2 bits. */
	ldr	w, [constant, #8 - 20]
	load_words key, 16, u, v, u_next, v_next
	movw	w_next, #0x5555
	and	t, t, w_next
	eors	s3, t
	eor	s3, s3, t, ror #31
	eor	t, s2, s2, ror #1
	and	t, t, w_next, ror #16
	eors	s0, w
	eors	s2, t
	eor	s2, s2, t, ror #31
	fields	s1, 0x55555555, 30
	eor	s2, v, s2, ror #16
	eor	s1, u, s1, ror #1
	/* Of 8 bits. */
	ldr	w_next, [constant, #12 - 20]
	ldr	w, [constant, #16 - 20]
	ldr	u, [key, #32]
	ldr	v, [key, #36]
	sub_cells s3, 16, s0, s3, s0
	fields	s2, 0x03030303, 24
	fields	s0, 0xc0c0c0c0, 8
	fields	s1, 0x0f0f0f0f, 24
	eor	s2, v_next, s2, ror #2
	eor	s1, u_next, s1, ror #4
	eor	s3, s3, w_next
	/* Whole words. */
	sub_cells s0, 30, s3, u_next, s0
	eor	s1, u, s1, ror #16
	eor	s2, v, s2, ror #8
	eor	s3, u_next, w
	cmp	constant, end
	bne	1b
	pop	{r4}
	mvn	s0, s0, ror #24
	mvn	s1, s1
	mvn	s2, s2
	store_words r4, 0, s0, s1, s2, s3
	pop	{r4-r11, pc}
	.balign	4
.Lconstants_address:
	.word	gift128_constants
end_function gift128_encrypt

#endif
