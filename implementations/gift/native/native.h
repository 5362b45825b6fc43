/*
 * Assembly for GIFT-128: what it replaces, and where.
 *
 * References: S. Banik et al., "GIFT-COFB v1.1" (2021), chapter 2.
 *
 * An implementation uses it if api.h defines PW_ASM, for the state and key of
 * fixsliced32/gift128.h, or PW_ASM8, for those of fixsliced8/gift128.h, and the target is one of
 * those below; it defines
 *
 *   GIFT128_NATIVE_ENCRYPT  gift128_encrypt replaces the one in C
 *
 * gift128_encrypt follows the procedure call standard, runs in constant time and uses at most 48
 * bytes of stack. With PW_ASM, it reads gift128_constants, the complements of the round constants
 * as five rounds arrange the bits. With PW_ASM8, it reads the bytes of state and key as words of 16
 * bits, whose addresses must be even.
 */
#ifndef PENNYWEIGHT_GIFT_NATIVE_H
#define PENNYWEIGHT_GIFT_NATIVE_H

#include "api.h"
#include "arm.h"
#include "msp430.h"
#include "riscv.h"

#if defined(PW_ASM) && (PW_ARMV7M || PW_RV32I) && !defined(GIFT128_TWEAKED)

#define GIFT128_NATIVE_ENCRYPT 1

extern uint32_t gift128_constants[40];

#elif defined(PW_ASM8) && PW_MSP430 && !defined(GIFT128_TWEAKED)

#define GIFT128_NATIVE_ENCRYPT 1

#endif
#endif
