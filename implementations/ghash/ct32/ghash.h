/*
 * GHASH in constant time for 32-bit cores, with integer multiplications.
 *
 * References: NIST SP 800-38D (2007), sections 6.3, 6.4. Arm Cortex-M3 and Cortex-M4 Processor
 * Technical Reference Manuals, section 3.3.1. Hazard3, "Instruction Cycle Counts".
 */
#ifndef PENNYWEIGHT_GHASH_CT32_H
#define PENNYWEIGHT_GHASH_CT32_H

#include <stddef.h>
#include <stdint.h>

/* Whether the core multiplies 32 by 32 to 64 bits in a cycle for each instruction, whatever the
 * factors are: Cortex-M4 and M33, and Hazard3, the one RV32 core here with Zbb. On the Cortex-M3,
 * UMULL takes from 3 to 5 cycles. A test defines it to build either variant. */
#ifndef GHASH_LONG_PRODUCTS
#if (defined(__ARM_ARCH_ISA_THUMB) && __ARM_ARCH_ISA_THUMB == 2 && !defined(__ARM_ARCH_ISA_ARM) && \
     !defined(__ARM_ARCH_7M__)) ||                                                                 \
    (defined(__riscv_zbb) && defined(__riscv_mul))
#define GHASH_LONG_PRODUCTS 1
#else
#define GHASH_LONG_PRODUCTS 0
#endif
#endif

typedef struct {
    uint32_t h[9]; /* H x^-1 and sums of its words: see ghash_ct32.c */
    uint32_t y[4]; /* Y_i, GHASH of the blocks so far; y[3] from its first 4 bytes */
} ghash_state;

#include "../native/native.h"

/* Starts GHASH_H with the hash subkey H at `h`. */
void ghash_init(ghash_state *state, const uint8_t h[16]);

/* Absorbs `length` bytes at `data`, zero-padded to full blocks. */
void ghash_update(ghash_state *state, const uint8_t *data, size_t length);

/* Writes GHASH_H of the blocks so far. */
void ghash_digest(const ghash_state *state, uint8_t digest[16]);

#endif
