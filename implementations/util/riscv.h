/*
 * Shared by all assembly for RISC-V: macros for the instruction set of the target, and macros for
 * the assembler.
 *
 * References: RISC-V C API specification, "Preprocessor Definitions"; RISC-V ELF psABI
 * specification, "Integer Register Convention": functions preserve s0 to s11.
 *
 * PW_RV32I is 1 if the target is little-endian RV32 with 31 registers (not RV32E), PW_RV_ZBB if it
 * has the rotations, AND and OR with complements and byte swaps of Zbb, PW_RV_ZBKB if it also
 * separates even from odd bits (Zbkb). All are 0 on other targets.
 */
#ifndef PENNYWEIGHT_UTIL_NATIVE_RISCV_H
#define PENNYWEIGHT_UTIL_NATIVE_RISCV_H

#if defined(__riscv) && __riscv_xlen == 32 && !defined(__riscv_32e) && !defined(__riscv_e) &&      \
    __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define PW_RV32I 1
#ifdef __riscv_zbb
#define PW_RV_ZBB 1
#endif
#ifdef __riscv_zbkb
#define PW_RV_ZBKB 1
#endif
#else
#define PW_RV32I 0
#endif

#ifndef PW_RV_ZBB
#define PW_RV_ZBB 0
#endif
#ifndef PW_RV_ZBKB
#define PW_RV_ZBKB 0
#endif

/* clang-format off */
#if defined(__ASSEMBLER__) && PW_RV32I

#include "assembly.h"

/* Applies \instruction to \registers and consecutive words at \at + \offset. */
	.macro	each_word instruction, at, offset, registers:vararg
	.set	.Loffset, \offset
	.irp	register, \registers
	\instruction \register, .Loffset(\at)
	.set	.Loffset, .Loffset + 4
	.endr
	.endm

/* Saves \registers on the stack in \frame bytes, a multiple of 16. */
	.macro	save frame, registers:vararg
	addi	sp, sp, -\frame
	each_word sw, sp, 0, \registers
	.endm

/* Restores them and returns. */
	.macro	restore_and_return frame, registers:vararg
	each_word lw, sp, 0, \registers
	addi	sp, sp, \frame
	ret
	.endm

/* Loads the word at \at + \offset byte by byte, the least significant one at \offset + \b0 and so
 * on; \x and \y are scratch. */
	.macro	load_bytes to, at, offset, b0, b1, b2, b3, x, y
	lbu	\to, \offset + \b0(\at)
	lbu	\x, \offset + \b1(\at)
	lbu	\y, \offset + \b2(\at)
	slli	\x, \x, 8
	or	\to, \to, \x
	lbu	\x, \offset + \b3(\at)
	slli	\y, \y, 16
	or	\to, \to, \y
	slli	\x, \x, 24
	or	\to, \to, \x
	.endm

	.macro	store_bytes from, at, offset, b0, b1, b2, b3, x
	sb	\from, \offset + \b0(\at)
	srli	\x, \from, 8
	sb	\x, \offset + \b1(\at)
	srli	\x, \from, 16
	sb	\x, \offset + \b2(\at)
	srli	\x, \from, 24
	sb	\x, \offset + \b3(\at)
	.endm

/* The same with the least significant byte first. */
	.macro	load_le to, at, offset, x, y
	load_bytes \to, \at, \offset, 0, 1, 2, 3, \x, \y
	.endm

	.macro	store_le from, at, offset, x
	store_bytes \from, \at, \offset, 0, 1, 2, 3, \x
	.endm

/* The same with the most significant byte first. */
	.macro	load_be to, at, offset, x, y
	load_bytes \to, \at, \offset, 3, 2, 1, 0, \x, \y
	.endm

	.macro	store_be from, at, offset, x
	store_bytes \from, \at, \offset, 3, 2, 1, 0, \x
	.endm

#endif
/* clang-format on */

#endif
