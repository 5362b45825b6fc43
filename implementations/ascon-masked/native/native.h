/*
 * Assembly for masked Ascon: what it replaces, and where.
 *
 * References: NIST SP 800-232 (2025), section 3; Ascon v1.2 (2021), section 2.6.
 *
 * The assembly works on the state of masked.h with two shares. An implementation uses it if api.h
 * defines PW_ASM and the target is one of those below; it defines
 *
 *   MASKED_NATIVE_PERMUTE  masked_permute replaces the one in C
 *   MASKED_TURN            both halves of a word's second share are rotated right by so many bits
 *   MASKED_WHOLE_LANES     the bits of words are not interleaved
 *
 * masked_permute follows the procedure call standard, runs in constant time and calls pw_random32
 * ten times a round. It uses the stack of that function and, on Armv7-M, 96 bytes, on Armv6-M 88,
 * and on AVR 60.
 */
#ifndef PENNYWEIGHT_ASCON_MASKED_NATIVE_H
#define PENNYWEIGHT_ASCON_MASKED_NATIVE_H

#include "api.h"
#include "arm.h"
#include "avr.h"

#if defined(PW_ASM) && (PW_ARMV7M || PW_ARMV6M) && MASKED_SHARES == 2
#define MASKED_NATIVE_PERMUTE 1
#define MASKED_TURN 5
#define MASKED_WHOLE_LANES 0
#elif defined(PW_ASM) && PW_AVR && MASKED_SHARES == 2
#define MASKED_NATIVE_PERMUTE 1
#define MASKED_TURN 0
#define MASKED_WHOLE_LANES 1
#else
#define MASKED_NATIVE_PERMUTE 0
#define MASKED_TURN 0
#define MASKED_WHOLE_LANES 0
#endif

#endif
