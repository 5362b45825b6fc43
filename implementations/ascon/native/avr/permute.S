/*
 * Ascon-p on the state of bytes8/permutation.h for AVR.
 *
 * References: NIST SP 800-232 (2025), sections 3.2 to 3.4; Ascon v1.2 (2021), section 2.6; AVR
 * Instruction Set Manual (DS40002198).
 *
 * Scheduling. S_0 and S_2 are always in registers. So is a third word: S_4 from its linear layer
 * to the next substitution layer, then S_1 to its linear layer. The substitution layer processes
 * two bytes of each word, so that MOVW copies both; bytes of S_1 take the registers of bytes of
 * S_4 that are used up. With S_4 stored as its complement, the layer has two NOT instead of five.
 * In the linear layer, a rotation by whole bytes only renames registers, and the others are
 * sequences of rotations by one bit, or eight products by a power of two. S_0 and S_2 add z >>> b,
 * where z = S ^ S >>> a. Bytes 6 and 7 of S_0 are in memory while S_1, S_3 and S_4 need their
 * registers, and the constant is on the stack.
 *
 * Registers: r2 to r9 are S_0, r10 to r17 are S_2, r18 to r25 the third word; r0, r1 and r26 to r29
 * are temporary; Z is the state.
 *
 * Cycles of a call from C on AVRe+ (ATmega328P) and AVRxt (ATmega4809): 12 rounds in 7,058 and
 * 6,574, 8 in 4,766 and 4,430; flash: 1,164 bytes. Without a multiplier (ATtiny85): 7,178 and
 * 4,846; 1,216 bytes.
 */
#include "avr.h"

#if PW_AVR

#include "constants.h"

/* The substitution layer on one byte of each word, where x4 is complemented. Order and complements
 * are such that each product reads the bits that it needs: where x2 is 1, x1 is still the old one
 * or its complement (ascon/sbox.h). */
	.macro	substitute_byte x0, x1, x2, x3, x4, k, t
	eor	\x0, \x4
	eor	\x4, \x3
	eor	\x2, \x1
	mov	\k, \x3
	or	\k, \x4
	mov	\t, \x0
	and	\t, \x1
	eor	\x4, \t
	mov	\t, \x3
	com	\t
	or	\t, \x2
	eor	\x1, \t
	mov	\t, \x4
	com	\t
	or	\t, \x0
	eor	\x3, \t
	mov	\t, \x1
	and	\t, \x2
	eor	\x0, \t
	eor	\x2, \k
	eor	\x1, \x0
	eor	\x0, \x4
	eor	\x3, \x2
	.endm

/* The same on two bytes in a pair of registers; \y0 is the upper one of \x0's pair. */
	.macro	substitute_pair x0, y0, x1, y1, x2, y2, x3, y3, x4, y4, k, l, t, u
	eor	\x0, \x4
	eor	\y0, \y4
	eor	\x4, \x3
	eor	\y4, \y3
	eor	\x2, \x1
	eor	\y2, \y1
	movw	\k, \x3
	or	\k, \x4
	or	\l, \y4
	movw	\t, \x0
	and	\t, \x1
	and	\u, \y1
	eor	\x4, \t
	eor	\y4, \u
	movw	\t, \x3
	com	\t
	com	\u
	or	\t, \x2
	or	\u, \y2
	eor	\x1, \t
	eor	\y1, \u
	movw	\t, \x4
	com	\t
	com	\u
	or	\t, \x0
	or	\u, \y0
	eor	\x3, \t
	eor	\y3, \u
	movw	\t, \x1
	and	\t, \x2
	and	\u, \y2
	eor	\x0, \t
	eor	\y0, \u
	eor	\x2, \k
	eor	\y2, \l
	eor	\x1, \x0
	eor	\y1, \y0
	eor	\x0, \x4
	eor	\y0, \y4
	eor	\x3, \x2
	eor	\y3, \y2
	.endm

/* Bytes \i and \i + 1 of all words, with temporary registers r0, r1, r8, r9, r28 and r29. */
	.macro	substitute i, x0, y0, x1, y1, x2, y2, x4, y4
	ldd	\x1, Z + 8 + \i
	ldd	\y1, Z + 9 + \i
	ldd	r28, Z + 24 + \i
	ldd	r29, Z + 25 + \i
	substitute_pair \x0, \y0, \x1, \y1, \x2, \y2, r28, r29, \x4, \y4, r0, r1, r8, r9
	std	Z + 24 + \i, r28
	std	Z + 25 + \i, r29
	std	Z + 32 + \i, \x4
	std	Z + 33 + \i, \y4
	.endm

/* Byte \i, without r8 and r9 as temporary registers; x0 is in memory before and after. */
	.macro	substitute_last i, x0, x1, x2, x4
	ldd	\x0, Z + \i
	ldd	\x1, Z + 8 + \i
	ldd	r28, Z + 24 + \i
	substitute_byte \x0, \x1, \x2, r28, \x4, r0, r1
	std	Z + \i, \x0
	std	Z + 24 + \i, r28
	std	Z + 32 + \i, \x4
	.endm

/* A word >>>= 1. */
	.macro	right_1 x0, x1, x2, x3, x4, x5, x6, x7
	bst	\x0, 0
	lsr	\x7
	ror	\x6
	ror	\x5
	ror	\x4
	ror	\x3
	ror	\x2
	ror	\x1
	ror	\x0
	bld	\x7, 7
	.endm

/* A word <<<= 1. */
	.macro	left_1 x0, x1, x2, x3, x4, x5, x6, x7
	bst	\x7, 7
	lsl	\x0
	rol	\x1
	rol	\x2
	rol	\x3
	rol	\x4
	rol	\x5
	rol	\x6
	rol	\x7
	bld	\x0, 0
	.endm

/* x ^= y */
	.macro	add_word x0, x1, x2, x3, x4, x5, x6, x7, y0, y1, y2, y3, y4, y5, y6, y7
	eor	\x0, \y0
	eor	\x1, \y1
	eor	\x2, \y2
	eor	\x3, \y3
	eor	\x4, \y4
	eor	\x5, \y5
	eor	\x6, \y6
	eor	\x7, \y7
	.endm

/* Adds the product of a byte and r26 to the bytes \low and \high. */
	.macro	add_product low, high, byte
	mul	\byte, r26
	eor	\low, r0
	eor	\high, r1
	.endm

/* Loads a word, or its lower six bytes, from Z + \at. */
	.macro	load_word at, x0, x1, x2, x3, x4, x5, x6, x7
	ldd	\x0, Z + \at
	ldd	\x1, Z + \at + 1
	ldd	\x2, Z + \at + 2
	ldd	\x3, Z + \at + 3
	ldd	\x4, Z + \at + 4
	ldd	\x5, Z + \at + 5
	.ifnb	\x6
	ldd	\x6, Z + \at + 6
	ldd	\x7, Z + \at + 7
	.endif
	.endm

	.macro	store_word at, x0, x1, x2, x3, x4, x5, x6, x7
	std	Z + \at, \x0
	std	Z + \at + 1, \x1
	std	Z + \at + 2, \x2
	std	Z + \at + 3, \x3
	std	Z + \at + 4, \x4
	std	Z + \at + 5, \x5
	.ifnb	\x6
	std	Z + \at + 6, \x6
	std	Z + \at + 7, \x7
	.endif
	.endm

/* S_4 is complemented in registers only. */
	.macro	complement_s4
	.irp	a, 18, 19, 20, 21, 22, 23, 24, 25
	com	r\a
	.endr
	.endm

/* The linear layer on S_0 in r2 to r9: S_0 ^= z >>> 19, where z = S_0 ^ S_0 >>> 9. */
	.macro	diffuse_s0
	movw	r18, r2
	movw	r20, r4
	movw	r22, r6
	movw	r24, r8
	right_1	r18, r19, r20, r21, r22, r23, r24, r25
#ifdef __AVR_HAVE_MUL__
	add_word r19, r20, r21, r22, r23, r24, r25, r18, r2, r3, r4, r5, r6, r7, r8, r9
	ldi	r26, 32
	add_product r7, r8, r19
	add_product r8, r9, r20
	add_product r9, r2, r21
	add_product r2, r3, r22
	add_product r3, r4, r23
	add_product r4, r5, r24
	add_product r5, r6, r25
	add_product r6, r7, r18
#else
	right_1	r18, r19, r20, r21, r22, r23, r24, r25
	right_1	r18, r19, r20, r21, r22, r23, r24, r25
	add_word r2, r3, r4, r5, r6, r7, r8, r9, r20, r21, r22, r23, r24, r25, r18, r19
	right_1	r18, r19, r20, r21, r22, r23, r24, r25
	add_word r2, r3, r4, r5, r6, r7, r8, r9, r21, r22, r23, r24, r25, r18, r19, r20
#endif
	.endm

/* The linear layer on S_2 in r10 to r17: S_2 ^= z >>> 1, where z = S_2 ^ S_2 >>> 5. */
	.macro	diffuse_s2
	movw	r18, r10
	movw	r20, r12
	movw	r22, r14
	movw	r24, r16
#ifdef __AVR_HAVE_MUL__
	ldi	r26, 8
	add_product r25, r18, r10
	add_product r18, r19, r11
	add_product r19, r20, r12
	add_product r20, r21, r13
	add_product r21, r22, r14
	add_product r22, r23, r15
	add_product r23, r24, r16
	add_product r24, r25, r17
	right_1	r18, r19, r20, r21, r22, r23, r24, r25
	add_word r10, r11, r12, r13, r14, r15, r16, r17, r18, r19, r20, r21, r22, r23, r24, r25
#else
	right_1	r18, r19, r20, r21, r22, r23, r24, r25
	add_word r10, r11, r12, r13, r14, r15, r16, r17, r18, r19, r20, r21, r22, r23, r24, r25
	left_1	r18, r19, r20, r21, r22, r23, r24, r25
	left_1	r18, r19, r20, r21, r22, r23, r24, r25
	left_1	r18, r19, r20, r21, r22, r23, r24, r25
	add_word r10, r11, r12, r13, r14, r15, r16, r17, r19, r20, r21, r22, r23, r24, r25, r18
#endif
	.endm

/* void ascon_permute(ascon_state *s, uint8_t constant) */
	function ascon_permute
	push_preserved
	movw	r30, r24
	mov	r26, r22
	load_word 0, r2, r3, r4, r5, r6, r7
	load_word 16, r10, r11, r12, r13, r14, r15, r16, r17
	load_word 32, r18, r19, r20, r21, r22, r23, r24, r25
	complement_s4

1:	eor	r10, r26
	subi	r26, ASCON_STEP
	push	r26
	substitute 0, r2, r3, r26, r27, r10, r11, r18, r19
	substitute 2, r4, r5, r18, r19, r12, r13, r20, r21
	substitute 4, r6, r7, r20, r21, r14, r15, r22, r23
	substitute_last 6, r8, r22, r16, r24
	substitute_last 7, r9, r23, r17, r25

	movw	r24, r26		/* S_1 is r26, r27, r18 to r23 */
	movw	r0, r18
	movw	r28, r20
	movw	r8, r22
	left_1	r24, r25, r0, r1, r28, r29, r8, r9
	add_word r26, r27, r18, r19, r20, r21, r22, r23, r29, r8, r9, r24, r25, r0, r1, r28
	left_1	r24, r25, r0, r1, r28, r29, r8, r9
	left_1	r24, r25, r0, r1, r28, r29, r8, r9
	add_word r26, r27, r18, r19, r20, r21, r22, r23, r24, r25, r0, r1, r28, r29, r8, r9
	store_word 8, r26, r27, r18, r19, r20, r21, r22, r23

	ldd	r8, Z + 6
	ldd	r9, Z + 7
	diffuse_s0
	std	Z + 6, r8
	std	Z + 7, r9
	diffuse_s2

	load_word 24, r18, r19, r20, r21, r22, r23, r24, r25
	movw	r0, r18
	movw	r26, r20
	movw	r28, r22
	movw	r8, r24
	right_1	r0, r1, r26, r27, r28, r29, r8, r9
	add_word r18, r19, r20, r21, r22, r23, r24, r25, r26, r27, r28, r29, r8, r9, r0, r1
	right_1	r0, r1, r26, r27, r28, r29, r8, r9
	add_word r18, r19, r20, r21, r22, r23, r24, r25, r1, r26, r27, r28, r29, r8, r9, r0
	store_word 24, r18, r19, r20, r21, r22, r23, r24, r25

	load_word 32, r18, r19, r20, r21, r22, r23, r24, r25
	movw	r0, r18
	movw	r26, r20
	movw	r28, r22
	movw	r8, r24
	left_1	r0, r1, r26, r27, r28, r29, r8, r9
	add_word r18, r19, r20, r21, r22, r23, r24, r25, r1, r26, r27, r28, r29, r8, r9, r0
	right_1	r0, r1, r26, r27, r28, r29, r8, r9
	right_1	r0, r1, r26, r27, r28, r29, r8, r9
	add_word r18, r19, r20, r21, r22, r23, r24, r25, r29, r8, r9, r0, r1, r26, r27, r28

	pop	r26
	cpi	r26, ASCON_END
	breq	2f
	rjmp	1b

2:	complement_s4
	store_word 0, r2, r3, r4, r5, r6, r7
	store_word 16, r10, r11, r12, r13, r14, r15, r16, r17
	store_word 32, r18, r19, r20, r21, r22, r23, r24, r25
	clr	r1
	pop_preserved
	ret
	end_function ascon_permute

#endif
