/*
 * Shared by the assembly for Keccak-p[200]: four bytes whose bits are interleaved.
 *
 * References: H. S. Warren, "Hacker's Delight" (2nd ed., 2012), section 7-3, on exchanges of bits.
 *
 * Nibble n of an interleaved word is bit n of each byte: of bytes 0, 2, 1 and 3, the last as the
 * highest bit. So a rotation of the word by 4 n rotates the bytes by n.
 */
#ifndef PENNYWEIGHT_KECCAK_NATIVE_ARMV7M_NIBBLES_H
#define PENNYWEIGHT_KECCAK_NATIVE_ARMV7M_NIBBLES_H

/* clang-format off */

/* Exchanges the bits of a word under \mask << \n with those under \mask; \x is scratch. */
	.macro	exchange_within word, n, mask, x
	eor	\x, \word, \word, lsr #\n
	and	\x, \x, \mask
	eor	\word, \word, \x, lsl #\n
	eors	\word, \x
	.endm

/* \aaaa is a register with this mask; \x is scratch. */
	.macro	interleave word, aaaa, x
	exchange_within \word, 6, #0x00cc00cc, \x
	exchange_within \word, 3, #0x0a0a0a0a, \x
	exchange_within \word, 15, \aaaa, \x
	.endm

/* The inverse. */
	.macro	separate word, aaaa, x
	exchange_within \word, 15, \aaaa, \x
	exchange_within \word, 3, #0x0a0a0a0a, \x
	exchange_within \word, 6, #0x00cc00cc, \x
	.endm

/* Words with \factor times bits that are 0 to 7 of a constant at bits 0, 4, ... */
	.macro	nibble_words factor, constants:vararg
	.irp	constant, \constants
	.set	.Lword, 0
	.irp	bit, 0, 1, 2, 3, 4, 5, 6, 7
	.set	.Lword, .Lword | ((\constant >> \bit & 1) << (4 * \bit))
	.endr
	.word	\factor * .Lword
	.endr
	.endm

/* clang-format on */

#endif
