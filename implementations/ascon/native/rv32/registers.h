/*
 * Shared by Ascon's assembly for RV32I: registers, and the substitution layer.
 *
 * References: NIST SP 800-232 (2025), section 3.3; Ascon v1.2 (2021), section 2.6.2.
 *
 * Scheduling of the substitution layer. RV32I has no AND with a complement, and the layer has five.
 * Where one of two adjacent words is stored as its complement and the other is not, the term is a
 * single AND, or a single OR whose complement changes how the sum is stored. Five words in a circle
 * cannot alternate, but two NOT suffice if x2 and x3 are stored as complements, and the words are
 * stored so again after the round: 18 instructions. With Zbb, no word is complemented: 16.
 */
#ifndef PENNYWEIGHT_ASCON_NATIVE_RV32_REGISTERS_H
#define PENNYWEIGHT_ASCON_NATIVE_RV32_REGISTERS_H

/* clang-format off */

/* Both parts of words x0 to x4: lower and upper halves, or even and odd bits. */
#define x0a s0
#define x1a s1
#define x2a s2
#define x3a s3
#define x4a s4
#define x0b s5
#define x1b s6
#define x2b s7
#define x3b s8
#define x4b s9
/* The first parts between the layers; other data between permutations. */
#define mid0 t0
#define mid1 t1
#define mid2 t2
#define mid3 t3
#define mid4 t4
/* Scratch. */
#define t t5
#define u t6
#define v a6
#define w a7

/* The substitution layer for a part of the words; results are in y0 to y4, which may be the same
 * registers. */
	.macro	substitute x0, x1, x2, x3, x4, y0, y1, y2, y3, y4
	xor	\x0, \x0, \x4
	xor	\x4, \x4, \x3
#if PW_RV_ZBB
	xor	\x2, \x2, \x1
	orn	u, \x4, \x0
	andn	v, \x2, \x1
	orn	w, \x3, \x4
	xor	\x0, \x0, v
	xor	\y2, \x2, w
	andn	v, \x1, \x0
	and	w, \x3, \y2
	xor	\y4, \x4, v
	xor	\x1, \x1, w
	xor	\x3, \x3, u
#else
	not	\x1, \x1
	xor	\x2, \x2, \x1
	and	u, \x4, \x0
	or	v, \x0, \x1
	and	w, \x1, \x2
	xor	\x0, \x0, w
	or	w, \x2, \x3
	not	t, \x4
	and	t, t, \x3
	xor	\y2, \x2, t
	xor	\y4, \x4, v
	xor	\x1, \x1, w
	xor	\x3, \x3, u
#endif
	xor	\y1, \x1, \x0
	xor	\y0, \x0, \y4
	xor	\y3, \x3, \y2
	.endm

	.macro	substitution_layer
	substitute x0a, x1a, x2a, x3a, x4a, mid0, mid1, mid2, mid3, mid4
	substitute x0b, x1b, x2b, x3b, x4b, x0b, x1b, x2b, x3b, x4b
	.endm

/* clang-format on */

#endif
