/*
 * BLAKE2s's compression function for Armv6-M.
 *
 * References: RFC 7693 (2015), sections 2.1, 2.6, 2.7, 3.1 and 3.2; same names.
 *
 * Scheduling. Only eight registers take part in exclusive ors and rotations. Four of them hold the
 * distances of rotations all the time. Additions also reach the upper registers, where v_0 to v_3, v_8
 * and v_9 stay: such a word is moved when it is the operand of an exclusive or. The others are on the
 * stack, and so is the message, which is aligned. Columns and diagonals are computed in an order in which
 * each first column or diagonal begins with two words that the last two before it have left in registers,
 * as in chacha/native/armv6m. All rounds are unrolled, so that the message needs no indices. A round
 * takes 136 instructions and 48 accesses to memory.
 *
 * Registers:
 *
 *   r0            copies, words of the message
 *   r1, r2, r3    v_8 to v_11 or v_4 to v_7; v_12 to v_15; v_4 to v_7
 *   r4 to r7      distances of rotations: 16, 12, 8, 7
 *   r8 to r11     v_0 to v_3
 *   r12, lr       v_8, v_9
 *
 * Cycles of a call from C; 3.9 KB of flash:
 *
 *   STM32F030 (Cortex-M0)       2524
 *   RP2040 in SRAM, STM32G071   2522
 *   SAMD21                      3009
 */
#include "arm.h"

#if PW_ARMV6M

#define t r0
#define by16 r4
#define by12 r5
#define by8 r6
#define by7 r7

/* The stack: the message, ten words of v, preserved registers, the address of h. */
#define M(i) (4 * (i))
#define V4 64
#define V5 68
#define V6 72
#define V7 76
#define V10 80
#define V11 84
#define V12 88
#define V13 92
#define V14 96
#define V15 100
#define FRAME 104
#define HASH (FRAME + 16)

/* a += \b + m_x, d = (d ^ a) >>> \by, with a in an upper register. */
	.macro	add_message a, b, d, x, by
	ldr	t, [sp, #M(\x)]
	add	\a, \b
	add	\a, t
	mov	t, \a
	eors	\d, t
	rors	\d, \by
	.endm

/* G with a and c in upper registers. */
	.macro	g a, b, c, d, x, y
	add_message \a, \b, \d, \x, by16
	add	\c, \d
	mov	t, \c
	eors	\b, t
	rors	\b, by12
	add_message \a, \b, \d, \y, by8
	add	\c, \d
	mov	t, \c
	eors	\b, t
	rors	\b, by7
	.endm

/* The same with a in an upper register. */
	.macro	g_low a, b, c, d, x, y
	add_message \a, \b, \d, \x, by16
	adds	\c, \c, \d
	eors	\b, \c
	rors	\b, by12
	add_message \a, \b, \d, \y, by8
	adds	\c, \c, \d
	eors	\b, \c
	rors	\b, by7
	.endm

	.macro	load b, at_b, d, at_d
	ldr	\b, [sp, #\at_b]
	ldr	\d, [sp, #\at_d]
	.endm

	.macro	store b, at_b, d, at_d
	str	\b, [sp, #\at_b]
	str	\d, [sp, #\at_d]
	.endm

	.macro	round s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14, s15
	/* Columns 1, 3, 2 and 0. */
	g	r9, r3, lr, r2, \s2, \s3
	store	r3, V5, r2, V13
	load	r3, V7, r2, V15
	ldr	r1, [sp, #V11]
	g_low	r11, r3, r1, r2, \s6, \s7
	store	r3, V7, r2, V15
	str	r1, [sp, #V11]
	load	r3, V6, r2, V14
	ldr	r1, [sp, #V10]
	g_low	r10, r3, r1, r2, \s4, \s5
	store	r1, V10, r2, V14
	load	r1, V4, r2, V12
	g	r8, r1, r12, r2, \s0, \s1
	str	r1, [sp, #V4]
	/* Diagonals 1, 3, 0 and 2. */
	ldr	r1, [sp, #V11]
	g_low	r9, r3, r1, r2, \s10, \s11
	store	r3, V6, r2, V12
	str	r1, [sp, #V11]
	load	r3, V4, r2, V14
	g	r11, r3, lr, r2, \s14, \s15
	store	r3, V4, r2, V14
	load	r3, V5, r2, V15
	ldr	r1, [sp, #V10]
	g_low	r8, r3, r1, r2, \s8, \s9
	store	r1, V10, r2, V15
	load	r1, V7, r2, V13
	g	r10, r1, r12, r2, \s12, \s13
	str	r1, [sp, #V7]
	.endm

/* \h ^= \upper, an upper register */
	.macro	xor_upper h, upper
	mov	t, \upper
	eors	\h, t
	.endm

/* \h ^= a word on the stack */
	.macro	xor_stack h, at
	ldr	t, [sp, #\at]
	eors	\h, t
	.endm

/* void blake2s_compress(uint32_t h[8], const uint8_t *block, const uint32_t t[2], uint32_t last) */
function blake2s_compress
	push	{r0, r4-r7, lr}
	mov	r4, r8
	mov	r5, r9
	mov	r6, r10
	mov	r7, r11
	push	{r4-r7}
	sub	sp, #FRAME
	mov	r12, r2
	mov	r2, sp
	mov	lr, r3
	.rept	4
	ldmia	r1!, {r4-r7}
	stmia	r2!, {r4-r7}
	.endr
	/* v_4 to v_7 */
	mov	r3, r0
	ldmia	r3!, {r4-r7}
	mov	r8, r4
	mov	r9, r5
	mov	r10, r6
	mov	r11, r7
	ldmia	r3!, {r4-r7}
	mov	r3, r5
	stmia	r2!, {r4-r7}
	/* v_8 to v_15 */
	adr	r1, .Lconstants
	mov	r0, r12
	ldmia	r1!, {r4-r7}
	mov	r12, r4
	stmia	r2!, {r6, r7}
	mov	r6, lr
	mov	lr, r5
	ldmia	r0!, {r4, r5}
	mov	r0, r6
	mov	r7, r5
	mov	r6, r4
	ldmia	r1!, {r4, r5}
	eors	r4, r6
	eors	r5, r7
	ldmia	r1!, {r6, r7}
	eors	r6, r0
	stmia	r2!, {r4-r7}
	mov	r2, r5
	movs	by16, #16
	movs	by12, #12
	movs	by8, #8
	movs	by7, #7
	b	.Lrounds
	.balign	4
.Lconstants:
	.word	0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a
	.word	0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19
.Lrounds:
	round	0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	round	14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3
	round	11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4
	round	7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8
	round	9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13
	round	2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9
	round	12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11
	round	13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10
	round	6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5
	round	10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0
	/* h = h ^ v_0 ... v_7 ^ v_8 ... v_15 */
	ldr	r1, [sp, #HASH]
	ldmia	r1!, {r4-r7}
	subs	r1, #16
	xor_upper r4, r8
	xor_upper r4, r12
	xor_upper r5, r9
	xor_upper r5, lr
	xor_upper r6, r10
	xor_stack r6, V10
	xor_upper r7, r11
	xor_stack r7, V11
	stmia	r1!, {r4-r7}
	ldmia	r1!, {r4-r7}
	subs	r1, #16
	eors	r5, r3
	eors	r5, r2
	xor_stack r4, V4
	xor_stack r4, V12
	xor_stack r6, V6
	xor_stack r6, V14
	xor_stack r7, V7
	xor_stack r7, V15
	stmia	r1!, {r4-r7}
	add	sp, #FRAME
	pop	{r4-r7}
	mov	r8, r4
	mov	r9, r5
	mov	r10, r6
	mov	r11, r7
	add	sp, #4
	pop	{r4-r7, pc}
end_function blake2s_compress

#endif
