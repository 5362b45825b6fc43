/*
 * Assembly for Keccak-p: what it replaces, and where.
 *
 * References: FIPS 202 (2015), section 3.3.
 *
 * An implementation uses it if api.h defines PW_ASM8 and the target is AVR, or PW_ASM and the
 * target is Armv6-M or Armv7-M; with KECCAK1600_SMALL, only Armv7-M, and two rounds are unrolled
 * instead of four, for cores with a code cache. It defines
 *
 *   KECCAK200_NATIVE   AVR: keccak200_permute replaces the one in C; Armv7-M: the same, for a
 *                      number of rounds that is a multiple of three, and keccak200_permute4
 *   KECCAK400_NATIVE   Armv6-M, Armv7-M, words that hold two copies of a lane: keccak400_permute,
 *                      for a number of rounds that is a multiple of four (Armv6-M: of two), and
 *                      keccak400_absorb_bits replace those in C
 *   KECCAK1600_NATIVE  Armv6-M, Armv7-M, interleaved bits: keccak1600_permute replaces the one in C
 *
 * The functions follow the procedure call standard, run in constant time and use at most 22 bytes
 * of stack on AVR, 464 on Armv6-M, 304 on Armv7-M, or 504 with KECCAK1600_SMALL.
 */
#ifndef PENNYWEIGHT_KECCAK_NATIVE_H
#define PENNYWEIGHT_KECCAK_NATIVE_H

#include "api.h"
#include "arm.h"
#include "avr.h"

#if defined(PW_ASM8) && PW_AVR

#define KECCAK200_NATIVE 1

#endif

#if defined(PW_ASM) && PW_ARMV6M && !defined(KECCAK1600_SMALL)

#define KECCAK400_NATIVE 1
#define KECCAK1600_NATIVE 1

#elif defined(PW_ASM) && PW_ARMV7M

#define KECCAK200_NATIVE 1
#define KECCAK400_NATIVE 1
#define KECCAK1600_NATIVE 1

#endif
#endif
