/*
 * SHA-256's compression function for RV32I, with and without Zbb.
 *
 * References: FIPS 180-4 (2015), sections 4.1.2 and 6.2.2; same names.
 *
 * Scheduling. All of a to h, b ^ c and the 16 words of the message schedule are in registers, so that a
 * round loads only its constant. A round computes W_{t+16} in place of W_t; it takes 57 instructions,
 * with Zbb 37. Compilers keep the message schedule on the stack. Maj is b ^ ((a ^ b) & (b ^ c)), and
 * a ^ b is b ^ c of the next round. A constant is added two instructions after its load.
 *
 * Registers:
 *
 *   a0, a1           scratch
 *   a1, a2           b ^ c: in a2 in even rounds, in a1 in odd ones; the other one becomes a ^ b
 *   a3               the address of K_t
 *   a4, a5, s0, s1   a to d
 *   a6, a7, ra, t0   e to h
 *   t1-t6, s2-s11    W_t to W_{t+15}
 *
 * Before the rounds, a2 is the address of the block, and a3 a mask for the order of bytes.
 *
 * Cycles of a call from C for one block, and in C (fast32):
 *
 *                      here    in C
 *   FE310 (E31)        3560    3860
 *   RP2350 (Hazard3)   2295    2661
 *   ESP32-C3           3569    3857
 */
#include "riscv.h"

#if PW_RV32I

#define t a0
#define u a1
#define x a2
#define k a3
#define A a4
#define B a5
#define C s0
#define D s1
#define E a6
#define F a7
#define G ra
#define H t0
/* The words of the message schedule: 0 to 7, and 8 to 15. */
#define LOWER t1, t2, t3, t4, t5, t6, s2, s3
#define UPPER s4, s5, s6, s7, s8, s9, s10, s11

#define block a2
#define mask a3

/* The stack: preserved registers; the arguments. */
#define FRAME 64
#define PRESERVED s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, ra
#define HASH 52
#define BLOCKS 56
#define COUNT 60

/* \to = \x >>> \n */
	.macro	rotate to, x, n, scratch
#if PW_RV_ZBB
	rori	\to, \x, \n
#else
	srli	\to, \x, \n
	slli	\scratch, \x, 32 - \n
	xor	\to, \to, \scratch
#endif
	.endm

/* \to ^= \x >>> \n */
	.macro	add_rotated to, x, n, scratch
#if PW_RV_ZBB
	rori	\scratch, \x, \n
	xor	\to, \to, \scratch
#else
	srli	\scratch, \x, \n
	xor	\to, \to, \scratch
	slli	\scratch, \x, 32 - \n
	xor	\to, \to, \scratch
#endif
	.endm

/* \to = (\x >>> \first) ^ (\x >>> \second) ^ (\x >>> \third) */
	.macro	big_sigma to, x, first, second, third, scratch
	rotate	\to, \x, \first, \scratch
	add_rotated \to, \x, \second, \scratch
	add_rotated \to, \x, \third, \scratch
	.endm

/* \to = (\x >>> \first) ^ (\x >>> \second) ^ (\x >> \third) */
	.macro	small_sigma to, x, first, second, third, scratch
	rotate	\to, \x, \first, \scratch
	add_rotated \to, \x, \second, \scratch
	srli	\scratch, \x, \third
	xor	\to, \to, \scratch
	.endm

/* A round with K_t + W_t in h; u becomes a ^ b. */
	.macro	finish_round a, b, c, d, e, f, g, h, x, u
	big_sigma \u, \e, 6, 11, 25, t
	add	\h, \h, \u
	xor	\u, \f, \g
	and	\u, \u, \e
	xor	\u, \u, \g
	add	\h, \h, \u
	xor	\u, \a, \b
	add	\d, \d, \h
	and	\x, \x, \u
	xor	\x, \x, \b
	add	\h, \h, \x
	big_sigma \x, \a, 2, 13, 22, t
	add	\h, \h, \x
	.endm

/* Round t with t % 16 = \i, and W_{t+16} in place of W_t. */
	.macro	round i, w, w1, w9, w14, x, u, a, b, c, d, e, f, g, h
	lw	t, 4 * (\i)(k)
	add	\h, \h, \w
	add	\w, \w, \w9
	add	\h, \h, t
	small_sigma \u, \w14, 17, 19, 10, t
	add	\w, \w, \u
	small_sigma \u, \w1, 7, 18, 3, t
	add	\w, \w, \u
	finish_round \a, \b, \c, \d, \e, \f, \g, \h, \x, \u
	.endm

/* One of the last 16 rounds. */
	.macro	last_round i, w, x, u, a, b, c, d, e, f, g, h
	lw	t, 4 * (\i)(k)
	add	\h, \h, \w
	add	\h, \h, t
	finish_round \a, \b, \c, \d, \e, \f, \g, \h, \x, \u
	.endm

/* Eight rounds, from word \i of the message schedule on. */
	.macro	rounds i, w0, w1, w2, w3, w4, w5, w6, w7, w8, w9, w10, w11, w12, w13, w14, w15
	round	\i + 0, \w0, \w1, \w9, \w14, x, u, A, B, C, D, E, F, G, H
	round	\i + 1, \w1, \w2, \w10, \w15, u, x, H, A, B, C, D, E, F, G
	round	\i + 2, \w2, \w3, \w11, \w0, x, u, G, H, A, B, C, D, E, F
	round	\i + 3, \w3, \w4, \w12, \w1, u, x, F, G, H, A, B, C, D, E
	round	\i + 4, \w4, \w5, \w13, \w2, x, u, E, F, G, H, A, B, C, D
	round	\i + 5, \w5, \w6, \w14, \w3, u, x, D, E, F, G, H, A, B, C
	round	\i + 6, \w6, \w7, \w15, \w4, x, u, C, D, E, F, G, H, A, B
	round	\i + 7, \w7, \w8, \w0, \w5, u, x, B, C, D, E, F, G, H, A
	.endm

	.macro	last_rounds i, w0, w1, w2, w3, w4, w5, w6, w7
	last_round \i + 0, \w0, x, u, A, B, C, D, E, F, G, H
	last_round \i + 1, \w1, u, x, H, A, B, C, D, E, F, G
	last_round \i + 2, \w2, x, u, G, H, A, B, C, D, E, F
	last_round \i + 3, \w3, u, x, F, G, H, A, B, C, D, E
	last_round \i + 4, \w4, x, u, E, F, G, H, A, B, C, D
	last_round \i + 5, \w5, u, x, D, E, F, G, H, A, B, C
	last_round \i + 6, \w6, x, u, C, D, E, F, G, H, A, B
	last_round \i + 7, \w7, u, x, B, C, D, E, F, G, H, A
	.endm

/* Reverses the bytes of a word. */
	.macro	reverse w
#if PW_RV_ZBB
	rev8	\w, \w
#else
	and	t, \w, mask
	srli	\w, \w, 8
	slli	t, t, 8
	and	\w, \w, mask
	or	\w, \w, t
	srli	t, \w, 16
	slli	\w, \w, 16
	or	\w, \w, t
#endif
	.endm

/* Loads aligned words from \at on. */
	.macro	load_reversed at, w0, w1, w2, w3, more:vararg
	each_word lw, block, \at, \w0, \w1, \w2, \w3
	.irp	w, \w0, \w1, \w2, \w3
	reverse	\w
	.endr
	.ifnb	\more
	load_reversed \at + 16, \more
	.endif
	.endm

/* Adds words of the hash value and stores the sums. */
	.macro	add_hash offset, w0, w1, w2, w3
	each_word lw, x, \offset, t, u, t1, t2
	add	\w0, \w0, t
	add	\w1, \w1, u
	add	\w2, \w2, t1
	add	\w3, \w3, t2
	each_word sw, x, \offset, \w0, \w1, \w2, \w3
	.endm

/* void sha256_compress(uint32_t h[8], const uint8_t *blocks, size_t count) */
function sha256_compress
	beqz	a2, .Lreturn
	save	FRAME, PRESERVED
	sw	a0, HASH(sp)
	sw	a1, BLOCKS(sp)
	sw	a2, COUNT(sp)
	mv	x, a0
	each_word lw, x, 0, A, B, C, D, E, F, G, H
.Lblock:
	lw	block, BLOCKS(sp)
	andi	t, block, 3
	bnez	t, .Lbytes
#if !PW_RV_ZBB
	li	mask, 0x00ff00ff
#endif
	load_reversed 0, LOWER, UPPER
.Lrounds:
	addi	block, block, 64
	sw	block, BLOCKS(sp)
	la	k, sha256_k
	xor	x, B, C
	.balign	4
.Lsixteen_rounds:
	rounds	0, LOWER, UPPER
	rounds	8, UPPER, LOWER
	la	t, sha256_k + 128
	addi	k, k, 64
	bleu	k, t, .Lagain
	last_rounds 0, LOWER
	last_rounds 8, UPPER
	lw	x, HASH(sp)
	add_hash 0, A, B, C, D
	add_hash 16, E, F, G, H
	lw	t, COUNT(sp)
	addi	t, t, -1
	sw	t, COUNT(sp)
	bnez	t, .Lnext
	restore_and_return FRAME, PRESERVED
.Lreturn:
	ret
.Lagain:
	j	.Lsixteen_rounds
.Lnext:
	j	.Lblock
.Lbytes:
	.set	.Lat, 0
	.irp	w, LOWER, UPPER
	load_be	\w, block, .Lat, t, u
	.set	.Lat, .Lat + 4
	.endr
	j	.Lrounds
end_function sha256_compress

#endif
