/*
 * ChaCha20 for Armv7-M: the block function, and the encryption of whole blocks.
 *
 * References: RFC 8439 (2018), sections 2.1 to 2.4; same names.
 *
 * Scheduling. A rotation is postponed to the next instruction that reads the word, where it is
 * free, so a quarter round takes 8 instructions: between quarter rounds, x4 to x7 must still be
 * rotated by 7, and x12 to x15 by 8. Two quarter rounds alternate, so that no instruction reads the
 * result of the one before it: on the Cortex-M33, an operand that is rotated has to be ready a
 * cycle earlier. Fourteen words are in registers. Two words of the last row are on the stack, and
 * are exchanged with the other two twice per double round; columns and diagonals are computed in an
 * order that needs no more. The counter of double rounds is on the stack, too. No other instruction
 * changes the flags that it sets.
 *
 * Registers: r0 to r11 x0 to x11; r12 and LR x12 and x13, or x14 and x15. The other two are on the
 * stack, which also has the arguments. After the rounds, all registers are used for all purposes.
 *
 * Cycles of a call of chacha20_block from C, and of a block of 64 bytes in the encryption:
 *
 *                                       chacha20_block  encrypted block
 *   Cortex-M3, Cortex-M4, 0 wait states            914              936
 *   nRF52840                                       914              936
 *   SAM3X8E                                       1224             1267
 *   RP2350 (Cortex-M33)                            873              893
 */
#include "arm.h"

#if PW_ARMV7M

/* Half of the last row; the other half is on the stack. */
#define d0 r12
#define d1 lr

/* The stack of all functions. */
#define X12 0
#define X13 4
#define X14 8
#define X15 12
#define X10 16
#define X11 20
#define COUNT 24
#define AFTER 28
#define FRAME 32
#define STATE (FRAME)
#define OUTPUT (FRAME + 4)
#define INPUT (FRAME + 8)
#define BLOCKS (FRAME + 12)

/* Two quarter rounds in turn. At their end, words of the last row in d0 and d1 are exchanged with
 * those at \in, and \counter counts down. Loads follow each other, but not stores. */
	.macro	quarter_rounds a, b, c, d, e, f, g, h, out, in, counter
	add	\a, \a, \b, ror #25
	add	\e, \e, \f, ror #25
	eor	\d, \a, \d, ror #24
	eor	\h, \e, \h, ror #24
	add	\c, \c, \d, ror #16
	add	\g, \g, \h, ror #16
	eor	\b, \c, \b, ror #25
	eor	\f, \g, \f, ror #25
	add	\a, \a, \b, ror #20
	add	\e, \e, \f, ror #20
	eor	\d, \a, \d, ror #16
	eor	\h, \e, \h, ror #16
	add	\c, \c, \d, ror #24
	.ifnb	\out
	str	d0, [sp, #\out]
	str	d1, [sp, #\out + 4]
	.endif
	add	\g, \g, \h, ror #24
	.ifnb	\counter
	ldr	d0, [sp, #\counter]
	ldr	d1, [sp, #\in + 4]
	eor	\b, \c, \b, ror #20
	subs	d0, d0, #1
	str	d0, [sp, #\counter]
	eor	\f, \g, \f, ror #20
	ldr	d0, [sp, #\in]
	.else
	.ifnb	\in
	ldr	d0, [sp, #\in]
	ldr	d1, [sp, #\in + 4]
	.endif
	eor	\b, \c, \b, ror #20
	eor	\f, \g, \f, ror #20
	.endif
	.endm

	.macro	double_round counter
	quarter_rounds r0, r4, r8, d0, r1, r5, r9, d1, X12, X14
	quarter_rounds r2, r6, r10, d0, r3, r7, r11, d1
	quarter_rounds r3, r4, r9, d0, r0, r5, r10, d1, X14, X12, \counter
	quarter_rounds r1, r6, r11, d0, r2, r7, r8, d1
	.endm

/* All rounds for the state at r12. */
	section_for chacha20_rounds
	hidden_entry chacha20_rounds
	mov	r0, #5
	load_words r12, 52, r1, r2, r3
	str	r0, [sp, #COUNT]
	ror	r2, r2, #8
	ror	r3, r3, #8
	str	r2, [sp, #X14]
	str	r3, [sp, #X15]
	ror	d1, r1, #8
	ldm	r12, {r0-r11}
	ldr	r12, [r12, #48]
	ror	r4, r4, #7
	ror	r5, r5, #7
	ror	r6, r6, #7
	ror	r7, r7, #7
	ror	d0, d0, #8
1:	double_round
	double_round COUNT
	bne	1b
	str	r10, [sp, #X10]
	str	r11, [sp, #X11]
	str	d0, [sp, #X12]
	str	d1, [sp, #X13]
	/* Adds the state to x0 to x9. */
	ldr	r12, [sp, #STATE]
	load_words r12, 0, r10, r11, lr
	add	r0, r10
	add	r1, r11
	add	r2, lr
	load_words r12, 12, r10, r11, lr
	add	r3, r10
	add	r4, r11, r4, ror #25
	add	r5, lr, r5, ror #25
	load_words r12, 24, r10, r11, lr
	add	r6, r10, r6, ror #25
	add	r7, r11, r7, ror #25
	add	r8, lr
	ldr	r10, [r12, #36]
	add	r9, r10
	ldr	pc, [sp, #AFTER]
	.size	chacha20_rounds, . - chacha20_rounds

/* The words x10 to x15, the state added, to r4 to r9; the state is at r12. */
	.macro	last_words
	add	lr, r12, #40
	ldr	r12, [sp, #X10]
	ldm	lr, {r4-r9}
	add	r4, r12
	ldr	r0, [sp, #X11]
	ldr	r1, [sp, #X12]
	ldr	r2, [sp, #X13]
	ldr	r3, [sp, #X14]
	ldr	r10, [sp, #X15]
	add	r5, r0
	add	r6, r6, r1, ror #24
	add	r7, r7, r2, ror #24
	add	r8, r8, r3, ror #24
	add	r9, r9, r10, ror #24
	.endm

/* void chacha20_block(uint32_t block[16], const uint32_t state[16]) */
function chacha20_block
	push	{r0, r4-r11, lr}
	adr	r3, .Lblock + 1
	mov	r12, r1
	push	{r1}
	sub	sp, #FRAME
	str	r3, [sp, #AFTER]
	b	chacha20_rounds
	.balign	4
.Lblock:
	ldr	lr, [sp, #OUTPUT]
	ldr	r12, [sp, #STATE]
	stm	lr!, {r0-r9}
	mov	r11, lr
	last_words
	add	sp, #FRAME + 8
	stm	r11, {r4-r9}
	pop	{r4-r11, pc}
end_function chacha20_block

/* void chacha20_encrypt_blocks(uint32_t state[16], uint8_t *output, const uint8_t *input, size_t
 *                              blocks) */
function chacha20_encrypt_blocks
	push	{r0-r11, lr}
	adr	r3, .Lencrypt + 1
	mov	r12, r0
	sub	sp, #FRAME
	str	r3, [sp, #AFTER]
	b	chacha20_rounds
	.balign	4
.Lencrypt:
	ldr	r12, [sp, #INPUT]
	load_words r12, 0, r10, r11, lr
	eors	r0, r10
	eors	r1, r11
	eors	r2, lr
	load_words r12, 12, r10, r11, lr
	eors	r3, r10
	eors	r4, r11
	eors	r5, lr
	load_words r12, 24, r10, r11, lr
	eors	r6, r10
	eors	r7, r11
	eor	r8, r8, lr
	ldr	r10, [r12, #36]
	ldr	r11, [sp, #OUTPUT]
	eor	r9, r9, r10
	store_words r11, 0, r0, r1, r2, r3, r4, r5, r6, r7, r8, r9
	ldr	r12, [sp, #STATE]
	last_words
	ldr	lr, [sp, #INPUT]
	load_words lr, 40, r0, r1, r2, r3, r10, r12
	add	lr, lr, #64
	eors	r4, r0
	eors	r5, r1
	eors	r6, r2
	eors	r7, r3
	eor	r8, r8, r10
	eor	r9, r9, r12
	str	lr, [sp, #INPUT]
	store_words r11, 40, r4, r5, r6, r7, r8, r9
	add	r11, r11, #64
	str	r11, [sp, #OUTPUT]
	ldr	r12, [sp, #STATE]
	ldr	r1, [sp, #BLOCKS]
	ldr	r0, [r12, #48]
	subs	r1, #1
	add	r0, r0, #1
	str	r0, [r12, #48]
	str	r1, [sp, #BLOCKS]
	bne	chacha20_rounds
	add	sp, #FRAME + 16
	pop	{r4-r11, pc}
end_function chacha20_encrypt_blocks

#endif
