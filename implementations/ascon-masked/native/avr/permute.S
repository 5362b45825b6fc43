/*
 * Ascon's permutations on two shares, on bytes, for AVR.
 *
 * References: NIST SP 800-232 (2025), sections 3.2 to 3.4; Ascon v1.2 (2021), section 2.6; AVR
 * Instruction Set Manual (DS40002198). Y. Ishai, A. Sahai, D. Wagner, CRYPTO 2003, and H. Gross, S.
 * Mangard, T. Korak, TIS 2016: the product. K. Papagiannopoulos, N. Veshchikov, "Mind the Gap:
 * Towards Secure 1st-order Masking in Software", COSADE 2017: where values meet on an ATmega163,
 * that is, in registers that are overwritten, in accesses to memory that follow each other, and in
 * neighbouring registers.
 *
 * Scheduling. The substitution layer processes byte after byte: the bytes of all words and shares
 * are in registers. The first shares and the second ones have registers of their own, and those of
 * a word are no neighbours. All first shares are loaded, then all second ones, and so they are
 * stored; the linear layer processes all first shares, then all second ones: shares of a word do
 * not follow each other there. Between the copies of the first shares of x0 and x1 and the
 * products, k is cleared, because the last copy and the first product have the shares of x1 as
 * operands. R21, the neighbour of t, is cleared in each round: it holds a byte of the second shares
 * from the linear layer.
 *
 * The four parts of a product are in register t in such an order that it holds values of one share,
 * or one with a fresh random byte, before it gets a value of the other share. Every other product
 * is made with the shares exchanged, so that it begins with the word and the share that the last
 * one ended with. Before the last part, t is cleared: x0 is public in the first round of an
 * initialization, so that the sum before it depends on the first share of x1 and on no other random
 * byte, and the second share of x1 is the next first operand.
 *
 * The random words of a round are drawn before it and pushed; each product takes one byte.
 *
 * Registers: R2 to R6 the first shares of x0 to x4, R10 to R14 the second ones; R22, R23 the first
 * shares of x0 and x1 before the products, R24, R25 the second ones; Y and Z the place. In the
 * linear layer: R2 to R9 a word, R18 to R25 the new one. R8, R9 the state at other times; R16
 * counts; R17 the constant.
 *
 * Cycles of a call without those of pw_random32:
 *
 *                12 rounds  8 rounds  12 rounds in C  8 rounds in C
 *   ATmega328P       27881     18613           60797          40901
 *   ATmega4809       25343     16915           52900          35572
 */
#include "../native.h"

#if MASKED_NATIVE_PERMUTE && PW_AVR

#include "constants.h"

#define a0 r2
#define a1 r3
#define a2 r4
#define a3 r5
#define a4 r6
#define b0 r10
#define b1 r11
#define b2 r12
#define b3 r13
#define b4 r14
#define before_a0 r22
#define before_a1 r23
#define before_b0 r24
#define before_b1 r25
#define random r18
#define k r19
#define t r20
#define count r16
#define constant r17

/* za += xa * yb, with the random byte. */
	.macro	add_cross za, xa, yb
	mov	t, \xa
	and	t, \yb
	eor	t, random
	eor	\za, t
	.endm

/* za += ~ya * xa. */
	.macro	add_own za, ya, xa
	mov	t, \ya
	and	t, \xa
	eor	\za, t
	eor	\za, \xa
	.endm

/* z += ~y * x. Words end with `a` for one and `b` for the other share. */
	.macro	add_product za, zb, ya, yb, xa, xb
	pop	random
	add_own	\za, \ya, \xa
	add_cross \zb, \xa, \yb
	add_cross \za, \xb, \ya
	clr	t
	add_own	\zb, \yb, \xb
	.endm

/* The substitution layer's sums before the products. */
	.macro	add_before x0, x1, x2, x3, x4
	eor	\x0, \x4
	eor	\x4, \x3
	eor	\x2, \x1
	.endm

/* Those after them. */
	.macro	add_after x0, x1, x2, x3, x4
	eor	\x1, \x0
	eor	\x0, \x4
	eor	\x3, \x2
	.endm

	.macro	load share, x0, x1, x2, x3, x4
	ldd	\x0, Y + \share
	ldd	\x1, Y + \share + 16
	ldd	\x2, Y + \share + 32
	ldd	\x3, Y + \share + 48
	ldd	\x4, Z + \share
	.endm

	.macro	store share, x0, x1, x2, x3, x4
	std	Y + \share, \x0
	std	Y + \share + 16, \x1
	std	Y + \share + 32, \x2
	std	Y + \share + 48, \x3
	std	Z + \share, \x4
	.endm

/* Rotates the word right by one bit. */
	.macro	turn_right
	bst	r2, 0
	lsr	r9
	.irp	a, 8, 7, 6, 5, 4, 3, 2
	ror	r\a
	.endr
	bld	r9, 7
	.endm

/* Rotates it left by one bit. */
	.macro	turn_left
	lsl	r2
	.irp	a, 3, 4, 5, 6, 7, 8, 9
	rol	r\a
	.endr
	adc	r2, r1
	.endm

/* Adds to the new word the one whose lowest byte is in \x0, in this order. */
	.macro	add_word x0, x1, x2, x3, x4, x5, x6, x7
	eor	r18, \x0
	eor	r19, \x1
	eor	r20, \x2
	eor	r21, \x3
	eor	r22, \x4
	eor	r23, \x5
	eor	r24, \x6
	eor	r25, \x7
	.endm

/* Loads the next word, and copies it. */
	.macro	begin_word
	ldd	r2, Y + 0
	ldd	r3, Y + 1
	ldd	r4, Y + 2
	ldd	r5, Y + 3
	ldd	r6, Y + 4
	ldd	r7, Y + 5
	ldd	r8, Y + 6
	ldd	r9, Y + 7
	movw	r18, r2
	movw	r20, r4
	movw	r22, r6
	movw	r24, r8
	.endm

/* Stores the new word, and goes to the next one of this share. */
	.macro	end_word
	std	Y + 0, r18
	std	Y + 1, r19
	std	Y + 2, r20
	std	Y + 3, r21
	std	Y + 4, r22
	std	Y + 5, r23
	std	Y + 6, r24
	std	Y + 7, r25
	adiw	r28, 16
	.endm

/* Applies the rounds from the one with the constant R22 to the last to the state at R24. */
	function masked_permute
	push_preserved
	movw	r8, r24
	mov	constant, r22
each_round:
	ldi	count, 10
1:
#if defined(__AVR_HAVE_JMP_CALL__) || defined(__clang__)
	call	pw_random32
#else
	rcall	pw_random32
#endif
	push	r25
	push	r24
	push	r23
	push	r22
	dec	count
	brne	1b
	movw	r28, r8
	movw	r30, r8
	subi	r30, lo8(-64)
	sbci	r31, hi8(-64)
	mov	k, constant
	clr	r21
	ldi	count, 8
each_byte:
	load	0, a0, a1, a2, a3, a4
	eor	a2, k
	add_before a0, a1, a2, a3, a4
	load	8, b0, b1, b2, b3, b4
	add_before b0, b1, b2, b3, b4
	mov	before_a0, a0
	mov	before_a1, a1
	mov	before_b0, b0
	mov	before_b1, b1
	clr	k
	add_product a0, b0, a1, b1, a2, b2
	add_product b1, a1, b2, a2, b3, a3
	add_product a2, b2, a3, b3, a4, b4
	add_product b3, a3, b4, a4, before_b0, before_a0
	add_product a4, b4, before_a0, before_b0, before_a1, before_b1
	add_after a0, a1, a2, a3, a4
	com	a2
	add_after b0, b1, b2, b3, b4
	store	0, a0, a1, a2, a3, a4
	store	8, b0, b1, b2, b3, b4
	adiw	r28, 1
	adiw	r30, 1
	dec	count
	breq	2f
	rjmp	each_byte
2:	movw	r28, r8
	ldi	count, 2
each_share:
	begin_word			/* 19, 28 */
	turn_right
	turn_right
	turn_right
	add_word r4, r5, r6, r7, r8, r9, r2, r3
	turn_right
	add_word r5, r6, r7, r8, r9, r2, r3, r4
	end_word
	begin_word			/* 61, 39 */
	turn_left
	add_word r7, r8, r9, r2, r3, r4, r5, r6
	turn_left
	turn_left
	add_word r2, r3, r4, r5, r6, r7, r8, r9
	end_word
	begin_word			/* 1, 6 */
	turn_right
	add_word r2, r3, r4, r5, r6, r7, r8, r9
	turn_left
	turn_left
	turn_left
	add_word r3, r4, r5, r6, r7, r8, r9, r2
	end_word
	begin_word			/* 17, 10 */
	turn_right
	add_word r4, r5, r6, r7, r8, r9, r2, r3
	turn_right
	add_word r3, r4, r5, r6, r7, r8, r9, r2
	end_word
	begin_word			/* 41, 7 */
	turn_right
	add_word r7, r8, r9, r2, r3, r4, r5, r6
	turn_left
	turn_left
	add_word r3, r4, r5, r6, r7, r8, r9, r2
	end_word
	subi	r28, 72
	sbci	r29, 0
	dec	count
	breq	3f
	rjmp	each_share
3:	sbiw	r28, 16
	movw	r8, r28
	subi	constant, ASCON_STEP
	cpi	constant, ASCON_END
	breq	4f
	rjmp	each_round
4:	pop_preserved
	ret
	end_function masked_permute

#endif
