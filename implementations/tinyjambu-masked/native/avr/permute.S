/*
 * TinyJAMBU's keyed permutation on two shares, for AVR.
 *
 * References: H. Wu, T. Huang, "TinyJAMBU" (Version 2, 2021), section 3.2.3; AVR Instruction Set
 * Manual (DS40002198). Y. Ishai, A. Sahai, D. Wagner, CRYPTO 2003, and H. Gross, S. Mangard, T.
 * Korak, TIS 2016: the product. K. Papagiannopoulos, N. Veshchikov, "Mind the Gap: Towards Secure
 * 1st-order Masking in Software", COSADE 2017: where values meet on an ATmega163, that is, in
 * registers that are overwritten, in accesses to memory that follow each other, and in neighbouring
 * registers.
 *
 * Scheduling. Both sums begin with the random word, so that it needs no register afterwards. The
 * linear part and the taps of the first share are computed first, then those of the second share,
 * in registers of their own. No register of one share is the neighbour of one of the other, and the
 * registers in which words are shifted are not those in which the other share's were.
 *
 * Of the four parts of a product, register t holds those of one factor after the other: s70 and s70
 * s85 of the first share, then s70 of the first and s85 of the second one, whose s85 follows. A
 * part that is followed by the other share of one of its factors would show their sum where the
 * part is 0.
 *
 * Registers: R2 to R5 and R6 to R9 the sums, R10 to R13 and R18 to R21 s70, R14 to R17 and R22 to
 * R25 s85, each of the first and the second share; R26 scratch; R27 counts; Y the state, Z the key.
 *
 * Cycles of a call on an ATmega328P without those of pw_random32: 10158 for 1024 steps, 6378 for
 * 640.
 */
#include "../native.h"

#if MASKED_NATIVE_PERMUTE && PW_AVR

#define t r26
#define count r27

/* Shifts five bytes left by one bit, from the lowest one on. */
	.macro	shift_left x0, x1, x2, x3, x4
	lsl	\x0
	rol	\x1
	rol	\x2
	rol	\x3
	rol	\x4
	.endm

/* Shifts five bytes right by one bit, from the highest one on. */
	.macro	shift_right x4, x3, x2, x1, x0
	lsr	\x4
	ror	\x3
	ror	\x2
	ror	\x1
	ror	\x0
	.endm

/* Adds a word of registers to a sum. */
	.macro	add_word z0, z1, z2, z3, x0, x1, x2, x3
	eor	\z0, \x0
	eor	\z1, \x1
	eor	\z2, \x2
	eor	\z3, \x3
	.endm

/* Adds a word of memory to a sum. */
	.macro	add_memory z0, z1, z2, z3, pointer, at
	ldd	t, \pointer + \at
	eor	\z0, t
	ldd	t, \pointer + \at + 1
	eor	\z1, t
	ldd	t, \pointer + \at + 2
	eor	\z2, t
	ldd	t, \pointer + \at + 3
	eor	\z3, t
	.endm

/* z += s0 + s47 + s91 + k, of one share. Words s0 to s3 and the key's are at these places; x is
 * scratch. */
	.macro	add_linear z0, z1, z2, z3, s0, s1, s2, s3, k, x0, x1, x2, x3
	ldd	\x0, Y + \s2 + 3
	ldd	\x1, Y + \s3
	ldd	\x2, Y + \s3 + 1
	ldd	\x3, Y + \s3 + 2
	ldd	t, Y + \s3 + 3
	.rept	3
	shift_right t, \x3, \x2, \x1, \x0
	.endr
	add_word \z0, \z1, \z2, \z3, \x0, \x1, \x2, \x3
	ldd	t, Y + \s1 + 1
	ldd	\x0, Y + \s1 + 2
	ldd	\x1, Y + \s1 + 3
	ldd	\x2, Y + \s2
	ldd	\x3, Y + \s2 + 1
	shift_left t, \x0, \x1, \x2, \x3
	add_word \z0, \z1, \z2, \z3, \x0, \x1, \x2, \x3
	add_memory \z0, \z1, \z2, \z3, Y, \s0
	add_memory \z0, \z1, \z2, \z3, Z, \k
	.endm

/* x = s70, y = s85, of one share. */
	.macro	taps x0, x1, x2, x3, y0, y1, y2, y3, s2, s3
	ldd	t, Y + \s2
	ldd	\x0, Y + \s2 + 1
	ldd	\x1, Y + \s2 + 2
	ldd	\x2, Y + \s2 + 3
	ldd	\x3, Y + \s3
	.rept	2
	shift_left t, \x0, \x1, \x2, \x3
	.endr
	ldd	t, Y + \s2 + 2
	ldd	\y0, Y + \s2 + 3
	ldd	\y1, Y + \s3
	ldd	\y2, Y + \s3 + 1
	ldd	\y3, Y + \s3 + 2
	.rept	3
	shift_left t, \y0, \y1, \y2, \y3
	.endr
	.endm

	.macro	add_part z, x, y
	mov	t, \x
	and	t, \y
	eor	\z, t
	.endm

/* A byte of both shares of z += x * y. */
	.macro	add_product za, zb, xa, xb, ya, yb
	add_part \za, \xa, \ya
	add_part \za, \xa, \yb
	add_part \zb, \yb, \xb
	add_part \zb, \xb, \ya
	.endm

	.macro	store_word at, x0, x1, x2, x3
	std	Y + \at, \x0
	std	Y + \at + 1, \x1
	std	Y + \at + 2, \x2
	std	Y + \at + 3, \x3
	.endm

/* 32 steps. Where words s0 to s3 and the key's word are; the new word replaces s0. */
	.macro	steps32 s0, s1, s2, s3, k
	movw	r16, r30
	mov	r15, count
#if defined(__AVR_HAVE_JMP_CALL__) || defined(__clang__)
	call	pw_random32
#else
	rcall	pw_random32
#endif
	movw	r30, r16
	mov	count, r15
	movw	r2, r22
	movw	r4, r24
	movw	r6, r22
	movw	r8, r24
	com	r2
	com	r3
	com	r4
	com	r5
	add_linear r2, r3, r4, r5, \s0, \s1, \s2, \s3, \k, r22, r23, r24, r25
	taps	r10, r11, r12, r13, r14, r15, r16, r17, \s2, \s3
	add_linear r6, r7, r8, r9, \s0 + 4, \s1 + 4, \s2 + 4, \s3 + 4, \k + 4, r18, r19, r20, r21
	taps	r18, r19, r20, r21, r22, r23, r24, r25, \s2 + 4, \s3 + 4
	add_product r2, r6, r10, r18, r14, r22
	add_product r3, r7, r11, r19, r15, r23
	add_product r4, r8, r12, r20, r16, r24
	add_product r5, r9, r13, r21, r17, r25
	store_word \s0, r2, r3, r4, r5
	store_word \s0 + 4, r6, r7, r8, r9
	.endm

/* 128 steps R20 times with the key at R22 on the state at R24. */
	function masked_permute
	push_preserved
	movw	r28, r24
	movw	r30, r22
	mov	count, r20
each_128:
	steps32	0, 8, 16, 24, 0
	steps32	8, 16, 24, 0, 8
	steps32	16, 24, 0, 8, 16
	steps32	24, 0, 8, 16, 24
	dec	count
	breq	1f
	rjmp	each_128
1:	pop_preserved
	ret
	end_function masked_permute

#endif
