/*
 * Shared by Keccak's assembly for Armv6-M: operations on the five words of a plane, in r0 to r4.
 *
 * References: FIPS 202 (2015), sections 3.2.1 and 3.2.4: theta and chi.
 *
 * The two terms of chi that read words which chi has changed by then are computed first.
 */
#ifndef PENNYWEIGHT_KECCAK_NATIVE_ARMV6M_PLANES_H
#define PENNYWEIGHT_KECCAK_NATIVE_ARMV6M_PLANES_H

/* clang-format off */

	.macro	add_words x, y
	ldmia	r7!, {r5, r6}
	eors	\x, r5
	eors	\y, r6
	.endm

/* The sums of five planes at sp + \from; uses r5 to r7. */
	.macro	parities from
	add	r7, sp, #\from
	ldmia	r7!, {r0-r4}
	.rept	4
	add_words r0, r1
	add_words r2, r3
	ldmia	r7!, {r5}
	eors	r4, r5
	.endr
	.endm

/* x ^= ~y & z */
	.macro	chi_lane x, y, z
	mov	r7, \z
	bics	r7, \y
	eors	\x, r7
	.endm

/* Uses r5 to r7. */
	.macro	chi
	mov	r5, r0
	bics	r5, r4
	mov	r6, r1
	bics	r6, r0
	chi_lane r0, r1, r2
	chi_lane r1, r2, r3
	chi_lane r2, r3, r4
	eors	r3, r5
	eors	r4, r6
	.endm

/* Stores plane \y of the state at sp + \to; uses r5. */
	.macro	store_plane to, y
	add	r5, sp, #\to + 20 * \y
	stmia	r5!, {r0-r4}
	.endm

/* Copies \planes planes from r6 to r7. */
	.macro	copy_planes planes
	.rept	\planes
	ldmia	r6!, {r0-r4}
	stmia	r7!, {r0-r4}
	.endr
	.endm

/* clang-format on */

#endif
