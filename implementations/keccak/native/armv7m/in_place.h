/*
 * A round of Keccak-p for Armv7-M, in place, on 25 words that rotate as their lanes do.
 *
 * References: FIPS 202 (2015), sections 3.2 and 3.3; same names. G. Bertoni, J. Daemen, M. Peeters,
 * G. Van Assche, R. Van Keer, "Keccak implementation overview" (2012), section 2.5: processing in
 * place.
 *
 * The masks were found for lanes of 16 bits. They are as good for 8: frames that are equal modulo
 * 16 are so modulo 8.
 *
 * Before and after a round, r0 to r4 are the plane y = 0, and r8 to r12 are the parities of columns
 * without it: those of x = 1 and 2 are complete, the others only have the plane y = 1. The includer
 * defines what frames.h needs.
 */
#ifndef PENNYWEIGHT_KECCAK_NATIVE_ARMV7M_IN_PLACE_H
#define PENNYWEIGHT_KECCAK_NATIVE_ARMV7M_IN_PLACE_H

#include "frames.h"

/* clang-format off */

/* The parities of columns without y = 0. */
#define PARITY_0 r8
#define PARITY_1 r9
#define PARITY_2 r10
#define PARITY_3 r11
#define PARITY_4 r12

/* .Lslot is the place of lane (x, y) before round .Lround + \next. */
	.macro	slot x, y, next
	.set	.Lrow, \y
	.rept	.Lround + \next
	.set	.Lrow, (\x + 2 * .Lrow) % 5
	.endr
	.set	.Lslot, 5 * .Lrow + \x
	.endm

	.macro	load to, x, y
	slot	\x, \y, 0
	load_slot \to
	.endm

/* Stores lane (x, y) of the result. */
	.macro	store from, x, y
	slot	\x, \y, 1
	store_result \from
	.endm

/* The same for a result of the round before. */
	.macro	store_late from, x, y
	slot	\x, \y, 0
	store_slot \from
	.endm

	.macro	constant to, from
	ldr	\to, [\from, #4 * .Lround]
	.set	.Lframe_\to, 0
	.endm

/* A word after theta and rho, which rotates it by \n. */
	.macro	rho to, x, y, n, in_y=0
	add_in_frame 0, \n, \to, \x, \y, \in_y
	.endm

	.macro	round
	sum	r11, r11, r3
	load	r6, 3, 2
	load	r7, 3, 4
	load	r5, 0, 3
	load	lr, 4, 4
	store_late	r1, 1, 0
	sum	r10, r10, r2, 0b0001
	sum	r8, r8, r0
	sum	r11, r11, r6
	sum	r5, r8, r5, 0b1000
	sum	r8, r11, r7, 0b0100
	load	r7, 0, 2
	store_late	r3, 3, 0
	sum	r7, r5, r7
	load	r3, 3, 3
	load	r5, 0, 4
	store_late	r4, 4, 0
	sum	r11, r12, r4
	sum	r12, r7, r5, 0b0111
	sum	r11, r11, lr
	store_late	r0, 0, 0
	sum	r8, r8, r3, 0b1000
	load	r0, 4, 2
	load	r3, 2, 1
	load	r7, 1, 4
	load	r4, 4, 3
	store_late	r2, 2, 0
	sum	r2, r9, r1, 0b0100
	sum	r9, r11, r4
	sum1	lr, r12, r10, 0b0011
	sum	r0, r9, r0, 0b0111
	sum1	r9, r0, r2, 0b0100
	sum1	r10, r10, r0, 0b1101
	sum1	r0, r8, r12, 0b0011
	sum1	r11, r2, r8, 0b1110
	rho	r12, r4, r0, 8
	rho	r4, r6, r10, 9
	rho	r3, r3, r11, 6, 0b0010
	mask	r8, r12, r4
	rho	r7, r7, lr, 2, 0b1001
	sum	r2, r3, r8
	rho	r8, r1, lr, 1
	rho	r5, r5, r9, 2, 0b0010
	mask	r3, r3, r8
	mask	r6, r5, r12
	sum	r1, r5, r3, 0b0001
	sum	r6, r4, r6, 0b1000
	load	r3, 3, 1
	store	r1, 4, 2
	mask	r5, r4, r2
	mask	r4, r8, r1
	sum	r1, r8, r5
	rho	r8, r3, r10, 7
	sum	r4, r12, r4, 0b1000
	load	r3, 2, 0
	store	r1, 0, 2
	rho	r3, r3, r11, 14, 0b0110
	load	r5, 4, 2
	load	r1, 0, 3
	store	r4, 3, 2
	rho	r1, r1, r9, 9, 0b0110
	rho	r12, r5, r0, 7, 0b0001
	mask	r4, r7, r1
	mask	r5, r12, r8
	sum	r4, r12, r4, 0b1001
	sum	r5, r3, r5, 0b0001
	sum	r12, r6, r4
	store	r6, 2, 2
	mask	r6, r3, r7
	store	r5, 0, 4
	mask	r3, r1, r4
	sum	r6, r1, r6, 0b1000
	sum	r1, r8, r3
	mask	r5, r8, r5
	store	r6, 3, 4
	store	r1, 1, 4
	sum	r6, r7, r5, 0b0010
	load	r5, 2, 3
	load	r7, 1, 2
	store	r4, 2, 4
	rho	r5, r5, r11, 15
	store	r2, 1, 2
	sum	r4, r2, r1
	rho	r2, r7, lr, 10, 0b0010
	load	r3, 0, 1
	load	r1, 4, 0
	load	r7, 3, 4
	store	r6, 4, 4
	rho	r3, r3, r9, 4
	rho	r1, r1, r0, 11
	mask	r6, r5, r2
	mask	r8, r3, r1
	rho	r7, r7, r10, 8, 0b0101
	sum	r6, r3, r6, 0b1100
	sum	r3, r7, r8
	mask	r8, r1, r7
	store	r3, 4, 3
	sum	r5, r5, r8, 0b0110
	sum	r4, r4, r6
	mask	r7, r7, r5
	mask	r8, r2, r6
	sum	r3, r2, r7, 0b1101
	store	r6, 1, 3
	sum	r1, r1, r8, 0b0100
	load	r7, 2, 2
	load	r6, 0, 2
	store	r5, 3, 3
	rho	r2, r7, r11, 11
	rho	r8, r6, r9, 3
	sum	r12, r12, r3, 0b0001
	load	r7, 0, 0
	load	r5, 2, 4
	load	r6, 1, 3
	store	r3, 2, 3
	rho	r11, r5, r11, 13, 0b1000
	rho	r7, r7, r9, 0
	rho	r9, r6, lr, 13, 0b0100
	load	r6, 4, 4
	load	r3, 1, 1
	load	r5, 4, 1
	store	r1, 0, 3
	rho	r1, r5, r0, 4, 0b0001
	mask	r5, r11, r9
	rho	lr, r3, lr, 12
	sum	r5, r8, r5, 0b1000
	rho	r3, r6, r0, 14, 0b1011
	mask	r8, r8, r1
	load	r6, 3, 3
	load	r0, 3, 0
	store	r5, 2, 1
	rho	r6, r6, r10, 5, 0b1011
	rho	r0, r0, r10, 12, 0b0001
	sum	r10, r12, r5
	mask	r12, r1, r0
	mask	r5, r9, r5
	sum	r12, r11, r12, 0b0001
	sum	r5, r1, r5, 0b1000
	mask	r1, r0, r12
	sum	r8, r0, r8
	mask	r0, r2, lr
	sum	r11, r9, r1, 0b1001
	mask	r1, r3, r6
	sum	r9, r4, r5
	sum	r2, r2, r1, 0b1100
	store	r12, 4, 1
	sum	r0, r7, r0, 0b0010
	ldr	r1, [sp, #CONSTANTS]
	store	r5, 1, 1
	mask	r4, lr, r0
	constant	r5, r1
	store	r11, 3, 1
	mask	r1, r6, r2
	sum	r0, r0, r5, 0b1000
	sum	r4, r3, r4, 0b1100
	mask	r7, r7, r3
	store	r8, 0, 1
	sum	r3, r6, r7, 0b0100
	sum	r1, lr, r1, 0b0111
	.set	.Lround, .Lround + 1
	.endm

/* clang-format on */

#endif
