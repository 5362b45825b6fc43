/*
 * BLAKE2s's compression function for Armv7-M.
 *
 * References: RFC 7693 (2015), sections 2.1, 2.6, 3.1 and 3.2; same names.
 *
 * Scheduling. A rotation is postponed to the next instruction that reads the word, where it is
 * free: between two calls of G, v_4 to v_7 must still be rotated by 7, and v_12 to v_15 by 8. The
 * first three rows of v are in registers. The last row is on the stack, and each of its words is
 * loaded together with a word of the message. The last column and the first diagonal use the same
 * word of it, and so do the last diagonal, the second one, and the next round's first column: it
 * stays in its register. All rounds are unrolled, so that the message needs no indices.
 *
 * On the Cortex-M33, a word that is loaded, or that was computed with a rotated one, is ready a
 * cycle late. So loads, the store, and the next G's first addition are between instructions that
 * follow from each other.
 *
 * Registers: v_0 to v_11 in r0 to r11, one of the last row in r12, a word of the message in LR.
 *
 * Cycles of a call from C; 4.3 KB of flash:
 *
 *   Cortex-M3, Cortex-M4, 0 wait states   1386
 *   nRF52840                              1991
 *   SAM3X8E                               1934
 *   RP2350 (Cortex-M33)                   1311
 */
#include "arm.h"

#if PW_ARMV7M

#define d r12
#define m lr

/* The stack: the words of the block, v_12 to v_15, the address of h. */
#define WORDS 0
#define LAST_ROW 64
#define HASH 80

/* A word of the last row and one of the message. */
	.macro	load_words_of l, x
	ldr	d, [sp, #LAST_ROW + 4 * \l]
	ldr	m, [sp, #WORDS + 4 * \x]
	.endm

/* G, with the word \l of the last row in d and word x of the message in m, after its first
 * addition; \y is the other word of the message. Then the same is true for the next G, if there is
 * one. */
	.macro	g a, b, c, l, y, next_a, next_b, next_l, next_x
	add	\a, m
	eor	d, \a, d, ror #8
	ldr	m, [sp, #WORDS + 4 * \y]
	add	\c, \c, d, ror #16
	.ifnb	\next_x
	add	\next_a, \next_a, \next_b, ror #7
	.endif
	eor	\b, \c, \b, ror #7
	add	\a, m
	add	\a, \a, \b, ror #12
	eor	d, \a, d, ror #16
	.ifnc	\l, \next_l
	str	d, [sp, #LAST_ROW + 4 * \l]
	add	\c, \c, d, ror #8
	.ifnb	\next_x
	load_words_of \next_l, \next_x
	.endif
	.else
	ldr	m, [sp, #WORDS + 4 * \next_x]
	add	\c, \c, d, ror #8
	.endif
	eor	\b, \c, \b, ror #12
	.endm

/* The columns, and the diagonals 0, 2, 3 and 1; then the next round begins with word \next. */
	.macro	round s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14, s15, next
	g	r0, r4, r8, 0, \s1, r1, r5, 1, \s2
	g	r1, r5, r9, 1, \s3, r2, r6, 2, \s4
	g	r2, r6, r10, 2, \s5, r3, r7, 3, \s6
	g	r3, r7, r11, 3, \s7, r0, r5, 3, \s8
	g	r0, r5, r10, 3, \s9, r2, r7, 1, \s12
	g	r2, r7, r8, 1, \s13, r3, r4, 2, \s14
	g	r3, r4, r9, 2, \s15, r1, r6, 0, \s10
	.ifnb	\next
	g	r1, r6, r11, 0, \s11, r0, r4, 0, \next
	.else
	g	r1, r6, r11, 0, \s11
	.endif
	.endm

/* IV_4 to IV_7, IV_0 to IV_3. */
	section_for blake2s_compress
.Lconstants:
	.word	0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19
	.word	0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a

/* void blake2s_compress(uint32_t h[8], const uint8_t *block, const uint32_t t[2], uint32_t last) */
function blake2s_compress
	push	{r0, r4-r11, lr}
	/* The block may have any alignment. */
	load_words r1, 0, r4, r5, r6, r7, r8, r9, r10, r11
	sub	sp, #80
	add	lr, sp, #32
	stm	sp, {r4-r11}
	load_words r1, 32, r4, r5, r6, r7, r8, r9, r10, r11
	stm	lr!, {r4-r11}
	adr	r1, .Lconstants
	ldm	r1, {r4-r11}
	ldrd	r2, r12, [r2]
	eors	r4, r2
	eor	r5, r5, r12
	ror	r4, r4, #24
	ror	r5, r5, #24
	ror	r7, r7, #24
	eors	r6, r3
	ror	r6, r6, #24
	stm	lr, {r4-r7}
	ldm	r0, {r0-r7}
	load_words_of 0, 0
	ror	r4, r4, #25
	ror	r5, r5, #25
	ror	r6, r6, #25
	add	r0, r0, r4, ror #7
	ror	r7, r7, #25
	round	0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, next=14
	round	14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3, next=11
	round	11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4, next=7
	round	7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8, next=9
	round	9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13, next=2
	round	2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9, next=12
	round	12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11, next=13
	round	13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10, next=6
	round	6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5, next=10
	round	10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0
	eor	r0, r0, r8
	eor	r1, r1, r9
	eor	r2, r2, r10
	eor	r3, r3, r11
	/* h = h ^ v_0 ... v_7 ^ v_8 ... v_15 */
	ldr	lr, [sp, #HASH]
	add	sp, #LAST_ROW
	pop	{r8-r11}
	eor	r5, r5, r9, ror #1
	add	sp, #4
	eor	r4, r4, r8, ror #1
	eor	r6, r6, r10, ror #1
	eor	r7, r7, r11, ror #1
	ldm	lr, {r8-r11}
	eor	r0, r0, r8
	eor	r1, r1, r9
	eor	r2, r2, r10
	eor	r3, r3, r11
	stm	lr!, {r0-r3}
	ldm	lr, {r8-r11}
	eor	r4, r8, r4, ror #7
	eor	r5, r9, r5, ror #7
	eor	r6, r10, r6, ror #7
	eor	r7, r11, r7, ror #7
	stm	lr, {r4-r7}
	pop	{r4-r11, pc}
end_function blake2s_compress

#endif
