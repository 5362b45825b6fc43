/*
 * Ascon's permutations and the loops over whole blocks, with interleaved bits, for Armv6-M.
 *
 * References: NIST SP 800-232 (2025), sections 3.2 to 3.4; Ascon v1.2 (2021), section 2.6; "ISAP
 * v2.0" (2021), algorithm 3, for ascon_absorb_bits; G. Bertoni, J. Daemen, M. Peeters, G. Van
 * Assche, R. Van Keer, "Keccak implementation overview" (2012), section 2.1: bit interleaving.
 *
 * Scheduling. Fourteen registers hold the state and four words more, so that a round accesses no
 * memory. Only the lower eight take part in computations: between rounds, they hold the even bits
 * and the upper ones the odd bits. The substitution layer processes the even bits, exchanges all
 * words in ten moves, and processes the odd bits. The linear layer fetches the even bits of a word,
 * computes both parts of it, and stores the odd bits. It rotates a copy of each part twice, the
 * second time by the difference. A round takes 132 cycles: 4 for its constant, 42 for the
 * substitution layer, 20 for moves, 66 for the linear layer.
 *
 * The linear layer leaves the even bits of a word in the register next to that in which it found
 * the odd ones; after six rounds, all are back in place. All rounds are unrolled.
 *
 * The loops over blocks keep the state in registers. Input and output have to be aligned to words.
 *
 * Registers: R0 to R5 the even bits of the words and scratch, in six orders that alternate; R6
 * copies, R7 distances and constants; R8 to R12 the odd bits of x0 to x4; LR free.
 *
 * Cycles of a call from C, and of a block of 16 bytes in the loops with 8 rounds:
 *
 *                             12 rounds  8 rounds  6 rounds  absorbed  encrypted  decrypted
 *   STM32F030                      1684      1168       901      1191       1280       1288
 *   RP2040 in SRAM                 1680      1162       895      1187       1276       1284
 *   SAMD21                         2089      1442      1109      1489       1602       1611
 *   RP2040, bi32 in C              2484      1698      1323
 *   RP2040, fast32 in C            2281      1557      1195
 */
#include "arm.h"

#if PW_ARMV6M

#include "constants.h"
#include "variant.h"

/* The even bits of words x0 to x4 and scratch, in any order, are in r0 to r5. */
#define ORDER_0 r0, r1, r2, r3, r4, r5
#define ORDER_1 r1, r2, r3, r4, r5, r0
#define ORDER_2 r2, r3, r4, r5, r0, r1
#define ORDER_3 r3, r4, r5, r0, r1, r2
#define ORDER_4 r4, r5, r0, r1, r2, r3
#define ORDER_5 r5, r0, r1, r2, r3, r4
/* Scratch: copies, and distances of rotations. */
#define t r6
#define by r7
/* The odd bits, and scratch. */
#define odd0 r8
#define odd1 r9
#define odd2 r10
#define odd3 r11
#define odd4 r12
#define free lr

/* The substitution layer for a part. */
	.macro	substitute constant, x0, x1, x2, x3, x4, u
	movs	by, #\constant
	eors	\x2, by
	eors	\x0, \x4
	eors	\x4, \x3
	eors	\x2, \x1
	mvns	t, \x0
	orrs	t, \x4
	mov	\u, \x2
	bics	\u, \x1
	eors	\x0, \u
	mvns	\u, \x4
	orrs	\u, \x3
	eors	\x2, \u
	mov	\u, \x1
	bics	\u, \x0
	eors	\x4, \u
	mov	\u, \x3
	ands	\u, \x2
	eors	\x1, \u
	eors	\x3, t
	eors	\x1, \x0
	eors	\x0, \x4
	eors	\x3, \x2
	.endm

/* Adds the copy, rotated by \n more, to \sum. */
	.macro	rotate_and_add n, sum
	.ifnb	\n
	movs	by, #\n
	.endif
	rors	t, by
	eors	\sum, t
	.endm

/* The linear layer for a word with even bits in \e, an upper register, and odd bits in \o: the odd
 * bits go to \to, the even bits to \u. The copy of the odd bits is rotated by \n1 and \n2 and added
 * to \sum1 and \sum2, that of the even bits by \n3 and \n4. */
	.macro	diffuse e, o, to, u, n1, sum1, n2, sum2, n3, sum3, n4, sum4
	mov	\u, \e
	mov	t, \o
	rotate_and_add \n1, \sum1
	rotate_and_add \n2, \sum2
	mov	t, \e
	rotate_and_add \n3, \sum3
	rotate_and_add \n4, \sum4
	mov	\to, \o
	.endm

	.macro	round even, odd, x0, x1, x2, x3, x4, u
	substitute \even, \x0, \x1, \x2, \x3, \x4, \u
	mov	free, \x0
	mov	\x0, odd0
	mov	odd0, \x1
	mov	\x1, odd1
	mov	odd1, \x2
	mov	\x2, odd2
	mov	odd2, \x3
	mov	\x3, odd3
	mov	odd3, \x4
	mov	\x4, odd4
	substitute \odd, \x0, \x1, \x2, \x3, \x4, \u
	/* 7 and 41: the odd bits rotated by 3 and 20, the even ones by 4 and 21. */
	diffuse	odd3, \x4, odd4, \u, 3, \u, 17, \u, 4, \x4, 17, \x4
	/* 10 and 17. */
	diffuse	odd2, \x3, odd3, \x4, 8, \x4, 29, \x3, 5, \x4, 4, \x3
	/* 1 and 6: the odd bits also unrotated. */
	mov	\x3, odd1
	eors	\x3, \x2
	mov	t, \x2
	rotate_and_add 3, \x2
	mov	t, odd1
	rotate_and_add , \x3
	rotate_and_add 30, \x2
	mov	odd2, \x2
	/* 61 and 39; the first distance is still 30. */
	diffuse	odd0, \x1, odd1, \x2, , \x2, 21, \x2, 31, \x1, 21, \x1
	/* 19 and 28. */
	diffuse	free, \x0, odd0, \x1, 9, \x1, 5, \x0, 10, \x0, 4, \x1
	.endm

/* Moves the even bits to the registers in which a round expects them. */
	.macro	to_order_4
	mov	t, r4
	mov	r4, r0
	mov	r5, r1
	mov	r0, r2
	mov	r1, r3
	mov	r2, t
	.endm

	.macro	to_order_5
	mov	r5, r0
	mov	r0, r1
	mov	r1, r2
	mov	r2, r3
	mov	r3, r4
	.endm

/* Saves registers and arguments; loads the state at r0. */
	.macro	begin name
function \name
	push	{r0-r7, lr}
	mov	r4, r8
	mov	r5, r9
	mov	r6, r10
	mov	r7, r11
	push	{r4-r7}
	mov	r7, r0
	ldmia	r7!, {r0, r5}
	mov	odd0, r5
	mov	lr, r1
	ldmia	r7!, {r1, r5}
	mov	odd1, r5
	ldmia	r7!, {r2, r5}
	mov	odd2, r5
	ldmia	r7!, {r3, r5}
	mov	odd3, r5
	ldmia	r7!, {r4, r5}
	mov	odd4, r5
	.endm

/* The arguments on the stack. */
#define S 16
#define OUTPUT 20
#define INPUT 24
#define BLOCKS 28

	.macro	finish name, frame
	ldr	r7, [sp, #S + \frame]
	mov	r5, odd0
	stmia	r7!, {r0, r5}
	mov	r5, odd1
	stmia	r7!, {r1, r5}
	mov	r5, odd2
	stmia	r7!, {r2, r5}
	mov	r5, odd3
	stmia	r7!, {r3, r5}
	mov	r5, odd4
	stmia	r7!, {r4, r5}
	add	sp, #\frame
	pop	{r4-r7}
	mov	r8, r4
	mov	r9, r5
	mov	r10, r6
	mov	r11, r7
	add	sp, #16
	pop	{r4-r7, pc}
end_function \name
	.endm

/* void ascon_permute(ascon_state *s, unsigned constant) */
begin ascon_permute
	mov	by, lr
	cmp	by, #ASCON_8_ROUNDS
	beq	8f
	bhi	12f
	cmp	by, #ASCON_6_ROUNDS
	beq	6f
	bl	ascon_interleaved_1
	b	1f
6:	bl	ascon_interleaved_6
	b	1f
8:	bl	ascon_interleaved_8
	b	1f
12:	bl	ascon_interleaved_12
1:
finish ascon_permute, 0

#if defined(ISAP_S_B) && ISAP_S_B == ASCON_1_ROUND

/* The stack: the bits of a byte that are left, the first as the highest; the address of the next
 * byte; and the number of bits that are left. */
#define BITS 0
#define BYTES 4
#define LEFT 8

/* void ascon_absorb_bits(ascon_state *s, const uint8_t *bits): 128 bits, with a round after each
 * but the last */
begin ascon_absorb_bits
	mov	r5, lr
	movs	r6, #128
	sub	sp, #12
	str	r5, [sp, #BYTES]
	str	r6, [sp, #LEFT]
.Lbyte:
	ldr	by, [sp, #BYTES]
	ldrb	t, [by]
	adds	by, #1
	str	by, [sp, #BYTES]
	lsls	t, t, #24
.Lbit:
	lsrs	r5, t, #31
	lsls	r5, r5, #31
	mov	by, odd0
	eors	by, r5
	mov	odd0, by
	lsls	t, t, #1
	str	t, [sp, #BITS]
	ldr	r5, [sp, #LEFT]
	subs	r5, #1
	str	r5, [sp, #LEFT]
	bne	1f
	b	2f
1:	to_order_5
	round	9, 3, ORDER_5
	ldr	t, [sp, #BITS]
	ldr	r5, [sp, #LEFT]
	lsls	r5, r5, #29
	beq	1f
	b	.Lbit
1:	b	.Lbyte
2:
finish ascon_absorb_bits, 12

#endif

/* Exchanges the bits of \x under \mask << \n with those of \y under \mask; uses r6 and r7. */
	.macro	exchange_bits x, y, n, mask
	.if	\n == 16
	lsrs	r6, \x, #16
	eors	r6, \y
	uxth	r6, r6
	.else
	ldr	r7, =\mask
	lsrs	r6, \x, #\n
	eors	r6, \y
	ands	r6, r7
	.endif
	eors	\y, r6
	lsls	r6, r6, #\n
	eors	\x, r6
	.endm

/* The halves of a word become its even and odd bits, in the same registers. */
	.macro	from_halves x, y
	exchange_bits \x, \y, 16, 0x0000ffff
	exchange_bits \x, \y, 8, 0x00ff00ff
	exchange_bits \x, \y, 4, 0x0f0f0f0f
	exchange_bits \x, \y, 2, 0x33333333
	exchange_bits \x, \y, 1, 0x55555555
	.endm

/* The inverse. */
	.macro	to_halves x, y
	exchange_bits \x, \y, 1, 0x55555555
	exchange_bits \x, \y, 2, 0x33333333
	exchange_bits \x, \y, 4, 0x0f0f0f0f
	exchange_bits \x, \y, 8, 0x00ff00ff
	exchange_bits \x, \y, 16, 0x0000ffff
	.endm

#if ASCON_BIG_ENDIAN
#define LOW 4
#define HIGH 0
#else
#define LOW 0
#define HIGH 4
#endif

/* Loads half a word of input at r7. */
	.macro	load_half to, offset
	ldr	\to, [r7, #\offset]
#if ASCON_BIG_ENDIAN
	rev	\to, \to
#endif
	.endm

/* Stores the halves of a word to the output; uses r6 and r7. */
	.macro	store_halves low, high, offset
	ldr	r7, [sp, #OUTPUT]
#if ASCON_BIG_ENDIAN
	rev	r6, \low
	str	r6, [r7, #\offset + LOW]
	rev	r6, \high
	str	r6, [r7, #\offset + HIGH]
#else
	str	\low, [r7, #\offset + LOW]
	str	\high, [r7, #\offset + HIGH]
#endif
	.endm

	.macro	absorb_word even, odd, offset
	mov	free, r4
	ldr	r7, [sp, #INPUT]
	load_half r4, \offset + LOW
	load_half r5, \offset + HIGH
	from_halves r4, r5
	eors	\even, r4
	mov	r4, \odd
	eors	r4, r5
	mov	\odd, r4
	mov	r4, free
	.endm

	.macro	encrypt_word even, odd, offset
	mov	r5, \odd
	to_halves \even, r5
	ldr	r7, [sp, #INPUT]
	load_half r6, \offset + LOW
	eors	\even, r6
	load_half r6, \offset + HIGH
	eors	r5, r6
	store_halves \even, r5, \offset
	from_halves \even, r5
	mov	\odd, r5
	.endm

	.macro	decrypt_word even, odd, offset
	mov	r5, \odd
	to_halves \even, r5
	ldr	r7, [sp, #INPUT]
	load_half r6, \offset + LOW
	eors	\even, r6
	mov	free, r6
	load_half r6, \offset + HIGH
	eors	r5, r6
	mov	\odd, r6
	store_halves \even, r5, \offset
	mov	\even, free
	mov	r5, \odd
	from_halves \even, r5
	mov	\odd, r5
	.endm

	.macro	squeeze_word even, odd, offset
	mov	free, r4
	mov	r4, \even
	mov	r5, \odd
	to_halves r4, r5
	store_halves r4, r5, \offset
	mov	r4, free
	.endm

	.macro	rounds_b
#if ASCON_ROUNDS_B == ASCON_12_ROUNDS
	bl	ascon_interleaved_12
#elif ASCON_ROUNDS_B == ASCON_8_ROUNDS
	bl	ascon_interleaved_8
#else
	bl	ascon_interleaved_6
#endif
	.endm

	.macro	advance pointer
	ldr	r7, [sp, #\pointer]
	adds	r7, #ASCON_RATE
	str	r7, [sp, #\pointer]
	.endm

/* A function over blocks: \what is absorb, encrypt or decrypt. */
	.macro	blocks what
begin ascon_\what\()_blocks
.Lnext_\what:
	\what\()_word r0, odd0, 0
#if ASCON_RATE == 16
	\what\()_word r1, odd1, 8
#endif
	advance	INPUT
	.ifnc	\what, absorb
	advance	OUTPUT
	.endif
	rounds_b
	ldr	r7, [sp, #BLOCKS]
	subs	r7, #1
	str	r7, [sp, #BLOCKS]
	beq	1f
	b	.Lnext_\what
1:
finish ascon_\what\()_blocks, 0
	.ltorg
	.endm

/* void ascon_absorb_blocks(ascon_state *s, uint8_t *none, const uint8_t *input, size_t blocks) */
	blocks	absorb

#ifdef ASCON_KEY_BYTES

/* void ascon_encrypt_blocks(ascon_state *s, uint8_t *output, const uint8_t *input, size_t blocks)
 *                            */
	blocks	encrypt

/* void ascon_decrypt_blocks(ascon_state *s, uint8_t *output, const uint8_t *input, size_t blocks)
 *                            */
	blocks	decrypt

#else

/* void ascon_squeeze_blocks(ascon_state *s, uint8_t *output, const uint8_t *none, size_t blocks) */
begin ascon_squeeze_blocks
.Lsqueeze:
	rounds_b
	squeeze_word r0, odd0, 0
	advance	OUTPUT
	ldr	r7, [sp, #BLOCKS]
	subs	r7, #1
	str	r7, [sp, #BLOCKS]
	bne	.Lsqueeze
finish ascon_squeeze_blocks, 0
	.ltorg

#endif

/* The last rounds. */
	section_for ascon_interleaved_12
	hidden_entry ascon_interleaved_8
	push	{lr}
	to_order_4
	bl	.Lround_4
	hidden_entry ascon_interleaved_1
	push	{lr}
	to_order_5
	bl	.Lround_11
	hidden_entry ascon_interleaved_12
	push	{lr}
	round	12, 12, ORDER_0
	round	9, 12, ORDER_1
	round	12, 9, ORDER_2
	round	9, 9, ORDER_3
.Lround_4:
	round	6, 12, ORDER_4
	round	3, 12, ORDER_5
.Lround_6:
	round	6, 9, ORDER_0
	round	3, 9, ORDER_1
	round	12, 6, ORDER_2
	round	9, 6, ORDER_3
	round	12, 3, ORDER_4
.Lround_11:
	round	9, 3, ORDER_5
	pop	{pc}
	hidden_entry ascon_interleaved_6
	push	{lr}
	bl	.Lround_6
	.size	ascon_interleaved_12, . - ascon_interleaved_12

#endif
