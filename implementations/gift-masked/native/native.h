/*
 * Assembly for masked GIFT-128: what it replaces, and where.
 *
 * References: S. Banik et al., "GIFT-COFB v1.1" (2021), chapter 2.
 *
 * The assembly works on the state and the key of masked.h with two shares. An implementation uses
 * it if api.h defines PW_ASM and the target is one of those below; MASKED_NATIVE_ENCRYPT is then 1,
 * and masked_encrypt replaces the one in C. It follows the procedure call standard, runs in
 * constant time and calls pw_random32 four times a round. It uses the stack of that function and 48
 * bytes.
 */
#ifndef PENNYWEIGHT_GIFT_MASKED_NATIVE_H
#define PENNYWEIGHT_GIFT_MASKED_NATIVE_H

#include "api.h"
#include "arm.h"

#if defined(PW_ASM) && PW_ARMV7M && MASKED_SHARES == 2
#define MASKED_NATIVE_ENCRYPT 1
#else
#define MASKED_NATIVE_ENCRYPT 0
#endif

#endif
