/*
 * GIFT-128 encryption, fixsliced, for MSP430.
 *
 * References: S. Banik et al., "GIFT-COFB v1.1" (2021), chapter 2; A. Adomnicai, Z. Najm, T. Peyrin,
 * "Fixslicing: A New GIFT Representation" (TCHES 2020), section 3; MSP430x1xx Family User's Guide
 * (SLAU049), section 3.4: cycles and flags.
 *
 * Scheduling. Each row is two registers of 16 bits, read from the bytes of memory: the upper byte of a
 * register is the later one. Instructions on registers take one cycle, but shifts move by one bit only.
 * So every rotation of fields is made of as few shifts as possible: the bits that would leave their field
 * are taken out first. Then no shift loses a bit, the carry stays 0, and a logical shift to the right needs
 * no other instruction. Bytes are rotated as parts of a word; bits in the wrong byte are exchanged with
 * SWPB. Halves and bytes of rows change places by name where they can; after ten rounds, S_1 and S_2 are
 * back in place.
 *
 * The S-box complements S_0. Instead, the complement moves from row to row, where BIC, BIS and AND
 * absorb it: an S-box takes 28 cycles, and round keys are not complemented. Constants of three of five
 * rounds are. A round takes 79 cycles: 28 for the S-box, 39 for the permutation of bits, 12 for the round
 * key and the constant.
 *
 * Registers: r4 to r11 the upper and the lower halves of S_0 to S_3, r12 the address of constants, r13
 * that of round keys, r14 scratch.
 *
 * Cycles of a call from C, and in C (fast8); 1.7 KB of flash:
 *
 *                          here     in C
 *   MSP430F1611            3310    13623
 *   MSP430FR5994, 8 MHz    3303    11948
 */
#include "msp430.h"

#if PW_MSP430

/* The upper and the lower half of S_0 to S_3. */
#define s0h r4
#define s0l r5
#define s1h r6
#define s1l r7
#define s2h r8
#define s2l r9
#define s3h r10
#define s3l r11
/* The addresses of constants and of round keys. */
#define constant r12
#define key r13
/* Scratch. */
#define t r14

/* \to ^= \x op \y */
	.macro	add_product op, to, x, y
	mov	\x, t
	\op	\y, t
	xor	t, \to
	.endm

/* SubCells on halves of rows, for round 1 of five and so on. \a becomes S_3, \d becomes S_0. */
	.macro	sub_1 a, b, c, d
	add_product and, \b, \a, \c
	add_product and, \a, \b, \d
	add_product bis, \c, \a, \b
	xor	\c, \d
	xor	\d, \b
	add_product and, \c, \a, \b
	.endm

	.macro	sub_2 a, b, c, d
	add_product bic, \b, \c, \a
	add_product and, \a, \b, \d
	add_product bic, \c, \a, \b
	xor	\c, \d
	xor	\d, \b
	add_product bis, \c, \a, \b
	.endm

	.macro	sub_3 a, b, c, d
	add_product and, \b, \a, \c
	add_product bic, \a, \d, \b
	add_product bic, \c, \b, \a
	xor	\c, \d
	xor	\d, \b
	add_product and, \c, \a, \b
	.endm

	.macro	sub_4 a, b, c, d
	add_product bic, \b, \a, \c
	add_product and, \a, \b, \d
	add_product bis, \c, \a, \b
	xor	\c, \d
	xor	\d, \b
	add_product bic, \c, \a, \b
	.endm

	.macro	sub_5 a, b, c, d
	add_product bic, \b, \a, \c
	add_product bis, \a, \b, \d
	add_product and, \c, \a, \b
	xor	\c, \d
	xor	\d, \b
	add_product bic, \c, \b, \a
	.endm

/* Moves the bits of \x in \mask to t. */
	.macro	take x, mask
	mov	\x, t
	and	#\mask, t
	bic	t, \x
	.endm

/* \x <<= \n, \x >>= \n: no bit is lost, so the carry is 0 afterwards. */
	.macro	left x, n
	.rept	\n
	add	\x, \x
	.endr
	.endm

	.macro	right x, n
	.rept	\n
	rrc	\x
	.endr
	.endm

/* Fields of four bits rotated right by \n. */
	.macro	nibbles_right x, n, mask
	take	\x, \mask
	left	t, 4 - \n
	right	\x, \n
	bis	t, \x
	.endm

/* Rotated left by one. */
	.macro	nibbles_left_1 x
	take	\x, 0x8888
	left	\x, 1
	right	t, 3
	bis	t, \x
	.endm

/* All pairs of bits exchanged. */
	.macro	pairs x
	take	\x, 0x5555
	left	t, 1
	right	\x, 1
	bis	t, \x
	.endm

/* 16 bits rotated left or right by \n. */
	.macro	rotate_left x, n
	.rept	\n
	add	\x, \x
	adc	\x
	.endr
	.endm

	.macro	rotate_right x, n
	.rept	\n
	bit	#1, \x
	rrc	\x
	.endr
	.endm

/* Both bytes rotated by two: a rotation of the word, then the bits that are in the wrong byte. */
	.macro	bytes_left_2 x
	rotate_left \x, 2
	take	\x, 0x0303
	swpb	t
	bis	t, \x
	.endm

	.macro	bytes_right_2 x
	rotate_right \x, 2
	take	\x, 0xc0c0
	swpb	t
	bis	t, \x
	.endm

/* Both bytes rotated by four. */
	.macro	bytes_4 x
	take	\x, 0x0f0f
	left	t, 4
	right	\x, 4
	bis	t, \x
	.endm

/* Exchanges the lower bytes. */
	.macro	exchange_lower x, y
	mov	\x, t
	xor	\y, t
	mov.b	t, t
	xor	t, \x
	xor	t, \y
	.endm

	.macro	exchange x, y
	mov	\x, t
	mov	\y, \x
	mov	t, \y
	.endm

/* AddRoundKey. */
	.macro	add_keys s1h, s1l, s2h, s2l, s3h, s3l
	xor	@key+, \s1h
	xor	@key+, \s1l
	xor	@key+, \s2h
	xor	@key+, \s2l
	xor	@constant+, \s3h
	xor	@constant+, \s3l
	.endm

/* Five rounds. S_0 is then in (s3l, s3h), S_1 in (s1l, s1h), S_2 in (s2l, s2h), S_3 in (s0h, s0l). */
	.macro	five_rounds s0h, s0l, s1h, s1l, s2h, s2l, s3h, s3l
	sub_1	\s0h, \s1h, \s2h, \s3h
	sub_1	\s0l, \s1l, \s2l, \s3l
	nibbles_right \s3h, 1, 0x1111
	nibbles_right \s3l, 1, 0x1111
	nibbles_right \s1h, 2, 0x3333
	nibbles_right \s1l, 2, 0x3333
	nibbles_left_1 \s2h
	nibbles_left_1 \s2l
	add_keys \s1h, \s1l, \s2h, \s2l, \s0h, \s0l

	sub_2	\s3h, \s1h, \s2h, \s0h
	sub_2	\s3l, \s1l, \s2l, \s0l
	rotate_right \s0h, 4
	rotate_right \s0l, 4
	swpb	\s1h
	swpb	\s1l
	rotate_left \s2h, 4
	rotate_left \s2l, 4
	add_keys \s1h, \s1l, \s2h, \s2l, \s3h, \s3l

	sub_3	\s0h, \s1h, \s2h, \s3h
	sub_3	\s0l, \s1l, \s2l, \s3l
	pairs	\s3l
	pairs	\s1h
	pairs	\s1l
	pairs	\s2h
	add_keys \s1h, \s1l, \s2l, \s2h, \s0h, \s0l

	sub_4	\s3l, \s1h, \s2l, \s0h
	sub_4	\s3h, \s1l, \s2h, \s0l
	bytes_left_2 \s0h
	bytes_left_2 \s0l
	bytes_4	\s1h
	bytes_4	\s1l
	bytes_right_2 \s2l
	bytes_right_2 \s2h
	add_keys \s1h, \s1l, \s2l, \s2h, \s3l, \s3h

	sub_5	\s0h, \s1h, \s2l, \s3l
	sub_5	\s0l, \s1l, \s2h, \s3h
	exchange_lower \s3l, \s3h
	swpb	\s3l
	swpb	\s3h
	swpb	\s2l
	swpb	\s2h
	exchange_lower \s2l, \s2h
	add_keys \s1l, \s1h, \s2l, \s2h, \s0h, \s0l
	.endm

/* void gift128_encrypt(gift128_state *state, const gift128_key *key) */
function gift128_encrypt
	push_preserved
	push	r12
	.irp	half, s0h, s0l, s1h, s1l, s2h, s2l, s3h
	mov	@r12+, \half
	.endr
	mov	@r12, s3l
	mov	#.Lconstants, constant
.Lten_rounds:
	five_rounds s0h, s0l, s1h, s1l, s2h, s2l, s3h, s3l
	five_rounds s3l, s3h, s1l, s1h, s2l, s2h, s0h, s0l
	exchange s0h, s0l
	exchange s3h, s3l
	cmp	#.Lend, constant
	jeq	1f
	br	#.Lten_rounds
1:	pop	r12
	.set	.Lat, 0
	.irp	half, s0h, s0l, s1h, s1l, s2h, s2l, s3h, s3l
	mov	\half, .Lat(r12)
	.set	.Lat, .Lat + 2
	.endr
	pop_preserved
	ret
end_function gift128_encrypt

	.section .rodata.gift128_encrypt, "a", %progbits
	.balign	2

/* The bytes of a constant, the first one in the upper bits. */
	.macro	bytes_of word
	.byte	(\word >> 24) & 0xff, (\word >> 16) & 0xff, (\word >> 8) & 0xff, \word & 0xff
	.endm

/* Those of five rounds, from the constants' complements; three of them stay complements. */
	.macro	constants c1, c2, c3, c4, c5
	bytes_of (\c1 ^ 0xffffffff)
	bytes_of \c2
	bytes_of (\c3 ^ 0xffffffff)
	bytes_of \c4
	bytes_of \c5
	.endm

.Lconstants:
	constants 0xeffffff7, 0x7ffe7fff, 0xabfffffd, 0xfefefe7e, 0x7fffffe0
	constants 0xef77777f, 0x9ffe1fff, 0xaeaffffd, 0xfcfcfe7f, 0x7fffffd0
	constants 0xeff7777f, 0x9ffe9fff, 0xbeaffffd, 0xfcfcff7f, 0x7fffffd8
	constants 0xefff777f, 0xbffe1fff, 0xeeaffffd, 0xfcfdfe7f, 0x7fffffd4
	constants 0xeff7f77f, 0x9ffebfff, 0xfebffffd, 0xfdfdff7f, 0x7fffffde
	constants 0xefffff7f, 0xfffe3fff, 0xaefffffd, 0xfcfefe7f, 0x7fffffd1
	constants 0xeff777ff, 0x9ffedfff, 0xbfaffffd, 0xfefcff7f, 0x7ffffff9
	constants 0xefff77f7, 0x3ffe5fff, 0xebaffffd, 0xfefdfe7e, 0x7fffffe5
.Lend:

#endif
