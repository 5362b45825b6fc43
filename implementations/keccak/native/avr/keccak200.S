/*
 * Keccak-p[200, n] for AVR.
 *
 * References: FIPS 202 (2015), sections 3.2 and 3.3; G. Bertoni et al., "Keccak implementation
 * overview" (v3.2, 2012), section 2.2 on complemented lanes; AVR Instruction Set Manual
 * (DS40002198).
 *
 * Scheduling. The 25 lanes are always in registers. Six of them are stored complemented, so that
 * chi has one NOT per row instead of five. Rho and pi move 24 lanes in a cycle, which needs one
 * temporary register. The pointers to the constants and to the state are on the stack during a
 * round.
 *
 * Registers: lane (x, y) is r(x + 5 y); r25 to r29 are the parities of columns, then temporary; r30
 * is temporary; r31 is zero.
 *
 * Cycles of a call from C, 18 rounds: 5,043 on AVRe+ (ATmega328P), 4,962 on AVRxt (ATmega4809);
 * flash: 764 bytes.
 */
#include "avr.h"

#if PW_AVR

#include "constants.h"

#define c0 r25
#define c1 r26
#define c2 r27
#define c3 r28
#define c4 r29
#define t r30
#define zero r31

/* The parity of column `x`. */
	.macro	parity c, x0, x1, x2, x3, x4
	mov	\c, \x0
	eor	\c, \x1
	eor	\c, \x2
	eor	\c, \x3
	eor	\c, \x4
	.endm

/* Theta for a column: adds the parity before it, and the one after it rotated. */
	.macro	theta before, after, x0, x1, x2, x3, x4
	mov	t, \after
	lsl	t
	adc	t, zero
	eor	t, \before
	eor	\x0, t
	eor	\x1, t
	eor	\x2, t
	eor	\x3, t
	eor	\x4, t
	.endm

/* a = b <<< n. */
	.macro	rotated a, b, n
	mov	\a, \b
	.if	\n >= 3 && \n <= 6
	swap	\a
	.endif
	.if	\n == 3 || \n == 7
	bst	\a, 0
	lsr	\a
	bld	\a, 7
	.endif
	.if	\n == 1 || \n == 2 || \n == 5 || \n == 6
	lsl	\a
	adc	\a, zero
	.endif
	.if	\n == 2 || \n == 6
	lsl	\a
	adc	\a, zero
	.endif
	.endm

/* a ^= b `op` c. */
	.macro	add_product a, op, b, c
	mov	t, \b
	\op	t, \c
	eor	\a, t
	.endm

/* The same with the complement of b. */
	.macro	add_product_not a, op, b, c
	mov	t, \b
	com	t
	\op	t, \c
	eor	\a, t
	.endm

/* The six lanes that are complemented. */
	.macro	complement
	com	r1
	com	r2
	com	r8
	com	r12
	com	r17
	com	r20
	.endm

	.section .progmem.data.keccak200_constants, "a", @progbits
	.type	keccak200_constants, @object
keccak200_constants:
	.byte	KECCAK200_CONSTANTS
	.size	keccak200_constants, . - keccak200_constants

/* void keccak200_permute(uint8_t *state, uint8_t rounds): 1 to 18 rounds. */
	function keccak200_permute
	push_preserved
	push	r24
	push	r25
	ldi	r30, lo8(keccak200_constants + 18)
	ldi	r31, hi8(keccak200_constants + 18)
	sub	r30, r22
	sbc	r31, r1
	push	r30
	push	r31
	movw	r30, r24
	ld	r0, Z
	.irp	a, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24
	ldd	r\a, Z + \a
	.endr
	complement

1:	clr	zero
	parity	c0, r0, r5, r10, r15, r20
	parity	c1, r1, r6, r11, r16, r21
	parity	c2, r2, r7, r12, r17, r22
	parity	c3, r3, r8, r13, r18, r23
	parity	c4, r4, r9, r14, r19, r24
	theta	c4, c1, r0, r5, r10, r15, r20
	theta	c0, c2, r1, r6, r11, r16, r21
	theta	c1, c3, r2, r7, r12, r17, r22
	theta	c2, c4, r3, r8, r13, r18, r23
	theta	c3, c0, r4, r9, r14, r19, r24

	mov	t, r1			/* rho and pi */
	rotated	r1, r6, 4
	rotated	r6, r9, 4
	rotated	r9, r22, 5
	rotated	r22, r14, 7
	rotated	r14, r20, 2
	rotated	r20, r2, 6
	rotated	r2, r12, 3
	rotated	r12, r13, 1
	rotated	r13, r19, 0
	rotated	r19, r23, 0
	rotated	r23, r15, 1
	rotated	r15, r4, 3
	rotated	r4, r24, 6
	rotated	r24, r21, 2
	rotated	r21, r8, 7
	rotated	r8, r16, 5
	rotated	r16, r5, 4
	rotated	r5, r3, 4
	rotated	r3, r18, 5
	rotated	r18, r17, 7
	rotated	r17, r11, 2
	rotated	r11, r7, 6
	rotated	r7, r10, 3
	rotated	r10, t, 1

	mov	c0, r0			/* chi */
	mov	c1, r1
	add_product r0, or, r1, r2
	add_product_not r1, or, r2, r3
	add_product r2, and, r3, r4
	add_product r3, or, r4, c0
	add_product r4, and, c0, c1

	mov	c0, r5
	mov	c1, r6
	add_product r5, or, r6, r7
	add_product r6, and, r7, r8
	add_product_not r7, or, r9, r8
	add_product r8, or, r9, c0
	add_product r9, and, c0, c1

	mov	c0, r10
	mov	c1, r11
	add_product r10, or, r11, r12
	add_product r11, and, r12, r13
	com	r13
	add_product r12, and, r13, r14
	add_product r13, or, r14, c0
	add_product r14, and, c0, c1

	mov	c0, r15
	mov	c1, r16
	add_product r15, and, r16, r17
	add_product r16, or, r17, r18
	com	r18
	add_product r17, or, r18, r19
	add_product r18, and, r19, c0
	add_product r19, or, c0, c1

	mov	c0, r20
	mov	c1, r21
	com	r21
	add_product r20, and, r21, r22
	add_product r21, or, r22, r23
	add_product r22, and, r23, r24
	add_product r23, or, r24, c0
	add_product r24, and, c0, c1

	pop	r31			/* iota */
	pop	r30
	lpm	r25, Z+
	eor	r0, r25
	cpi	r25, KECCAK200_LAST_CONSTANT
	breq	2f
	push	r30
	push	r31
	rjmp	1b

2:	complement
	pop	r31
	pop	r30
	st	Z, r0
	.irp	a, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24
	std	Z + \a, r\a
	.endr
	clr	r1
	pop_preserved
	ret
	end_function keccak200_permute

#endif
