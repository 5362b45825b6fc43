/*
 * Assembly for masked Xoodyak: what it replaces, and where.
 *
 * References: J. Daemen et al., "Xoodyak, a lightweight cryptographic scheme" (v2, 2021), the
 * permutation Xoodoo.
 *
 * The assembly works on the state of masked.h with two shares. An implementation uses it if api.h
 * defines PW_ASM and the target is one of those below; it defines
 *
 *   MASKED_NATIVE_PERMUTE  masked_permute replaces the one in C
 *   MASKED_TURN            the second share of a lane is rotated right by so many bits
 *
 * masked_permute follows the procedure call standard, runs in constant time and calls pw_random32
 * twelve times a round. It uses the stack of that function and 40 bytes.
 */
#ifndef PENNYWEIGHT_XOODYAK_MASKED_NATIVE_H
#define PENNYWEIGHT_XOODYAK_MASKED_NATIVE_H

#include "api.h"
#include "arm.h"

#if defined(PW_ASM) && (PW_ARMV7M || PW_ARMV6M) && MASKED_SHARES == 2
#define MASKED_NATIVE_PERMUTE 1
#define MASKED_TURN 12
#else
#define MASKED_NATIVE_PERMUTE 0
#define MASKED_TURN 0
#endif

#endif
