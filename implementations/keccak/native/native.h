/*
 * Assembly for Keccak-p: what it replaces, and where.
 *
 * References: FIPS 202 (2015), section 3.3.
 *
 * An implementation uses it if api.h defines PW_ASM8 and the target is AVR. It defines
 *
 *   KECCAK200_NATIVE  keccak200_permute replaces the one in C
 *
 * The function follows the procedure call standard, runs in constant time and uses at most 22 bytes
 * of stack.
 */
#ifndef PENNYWEIGHT_KECCAK_NATIVE_H
#define PENNYWEIGHT_KECCAK_NATIVE_H

#include "api.h"
#include "avr.h"

#if defined(PW_ASM8) && PW_AVR

#define KECCAK200_NATIVE 1

#endif
#endif
