/*
 * Poly1305 for 32-bit machines.
 *
 * References: RFC 8439 (2018), section 2.5; same names. Arm Cortex-M3 Processor Technical
 * Reference Manual (r2p1), section 3.3.1.
 *
 * Numbers are 32-bit words (words.c) where the core multiplies 32 by 32 to 64 bits in a time that
 * does not depend on the numbers, and limbs of 13 bits (limbs.c) elsewhere.
 */
#ifndef PENNYWEIGHT_POLY1305_H
#define PENNYWEIGHT_POLY1305_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

#include "../native/native.h"

/* ARMv6-M and ARMv8-M Baseline have MULS only, Xtensa LX106 has MULL only, and UMULL of the
 * Cortex-M3 takes from 3 to 5 cycles. A test defines it to build either variant for the
 * host. */
#ifndef POLY1305_LIMBS
#if UINT_MAX == 0xffff || defined(__ARM_ARCH_7M__) || defined(__XTENSA__) ||                       \
    (defined(__ARM_ARCH_ISA_THUMB) && __ARM_ARCH_ISA_THUMB == 1)
#define POLY1305_LIMBS 1
#else
#define POLY1305_LIMBS 0
#endif
#endif

#if POLY1305_LIMBS

typedef struct {
    uint16_t a[10];         /* the accumulator: a[0] + 2^13 a[1] + ... */
    uint16_t multiples[20]; /* 5 r[0], ..., 5 r[9], r[0], ..., r[9]; r clamped */
} poly1305;

#else

typedef struct {
    uint32_t r[4]; /* r, clamped */
    uint32_t a[5]; /* the accumulator; the last word is small */
} poly1305;

#endif

/* Starts a message with the key's first half, the 16 bytes at `r`. */
void poly1305_init(poly1305 *state, const uint8_t *r);

/* a = (a + block + top 2^128) r for each of the `count` blocks of 16 bytes at `blocks`. `top` is 1
 * for the blocks of a message, 0 for a shorter last block that carries its own end mark. */
void poly1305_blocks(poly1305 *state, const uint8_t *blocks, size_t count, uint8_t top);

/* Adds a to `s`, which is the key's second half at entry and the tag of 16 bytes on return. */
void poly1305_finish(const poly1305 *state, uint8_t *s);

#endif
