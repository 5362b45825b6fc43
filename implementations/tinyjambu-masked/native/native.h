/*
 * Assembly for masked TinyJAMBU: what it replaces, and where.
 *
 * References: H. Wu, T. Huang, "TinyJAMBU" (Version 2, 2021), section 3.2.3.
 *
 * The assembly works on the state and the key of masked.h with two shares. An implementation uses
 * it if api.h defines PW_ASM and the target is one of those below; MASKED_NATIVE_PERMUTE is then 1,
 * and masked_permute replaces the one in C. It follows the procedure call standard, runs in
 * constant time and calls pw_random32 once in 32 steps. It uses the stack of that function and 48
 * bytes, on AVR 20.
 */
#ifndef PENNYWEIGHT_TINYJAMBU_MASKED_NATIVE_H
#define PENNYWEIGHT_TINYJAMBU_MASKED_NATIVE_H

#include "api.h"
#include "arm.h"
#include "avr.h"

#if defined(PW_ASM) && (PW_ARMV7M || PW_ARMV6M || PW_AVR) && MASKED_SHARES == 2
#define MASKED_NATIVE_PERMUTE 1
#else
#define MASKED_NATIVE_PERMUTE 0
#endif

#endif
