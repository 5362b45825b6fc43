/*
 * Assembly for SipHash-2-4: what it replaces, and where.
 *
 * References: J.-P. Aumasson, D. J. Bernstein, "SipHash: a fast short-input PRF", INDOCRYPT 2012,
 * section 2.
 *
 * An implementation uses it if api.h defines PW_ASM and the target is one of those below; it
 * defines
 *
 *   SIPHASH_NATIVE  both functions below replace those in C
 *
 * The functions follow the procedure call standard, run in constant time and use at most 40 bytes
 * of stack.
 */
#ifndef PENNYWEIGHT_SIPHASH_NATIVE_H
#define PENNYWEIGHT_SIPHASH_NATIVE_H

#include <stddef.h>
#include <stdint.h>

#include "api.h"
#include "arm.h"

#if defined(PW_ASM) && PW_ARMV7M

#define SIPHASH_NATIVE 1

/* Absorbs `count` words of 8 bytes of the message, at any address: c = 2 rounds for each. */
void siphash_absorb(uint64_t v[4], const uint8_t *words, size_t count);

/* The d = 4 rounds before the output. */
void siphash_finish(uint64_t v[4]);

#else

#define SIPHASH_NATIVE 0

#endif
#endif
