/*
 * Assembly for TinyJAMBU's permutation: what it replaces, and where.
 *
 * References: H. Wu, T. Huang, "TinyJAMBU" (Version 2, 2021), section 3.2.3.
 *
 * The assembly works on the state and key of fast32/permutation.h. An implementation uses it if
 * api.h defines PW_ASM, the key has 128 bits, and the target is the one below; it defines
 *
 *   TINYJAMBU_NATIVE_PERMUTE  tinyjambu_permute replaces the one in C
 *
 * tinyjambu_permute follows the procedure call standard, runs in constant time and uses 24 bytes of
 * stack.
 */
#ifndef PENNYWEIGHT_TINYJAMBU_NATIVE_H
#define PENNYWEIGHT_TINYJAMBU_NATIVE_H

#include "api.h"
#include "arm.h"
#include "variant.h"

#if defined(PW_ASM) && PW_ARMV7M && TINYJAMBU_KEY_BYTES == 16

#define TINYJAMBU_NATIVE_PERMUTE 1

#endif
#endif
