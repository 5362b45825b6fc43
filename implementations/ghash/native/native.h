/*
 * Assembly for GHASH: what it replaces, and where.
 *
 * References: NIST SP 800-38D (2007), section 6.4.
 *
 * The assembly works on the state of ct32/ghash.h. An implementation uses it if api.h defines
 * PW_ASM and the target is one of those below; it defines
 *
 *   GHASH_NATIVE_BLOCKS  Armv7E-M and Cortex-M33: the function below
 *
 * The function follows the procedure call standard, runs in constant time and uses 168 bytes of
 * stack. Blocks may have any alignment.
 */
#ifndef PENNYWEIGHT_GHASH_NATIVE_H
#define PENNYWEIGHT_GHASH_NATIVE_H

#include <stddef.h>
#include <stdint.h>

#include "api.h"
#include "arm.h"

#if defined(PW_ASM) && PW_ARMV7M && PW_ARM_DSP

#define GHASH_NATIVE_BLOCKS 1

/* Absorbs `count` blocks of 16 bytes at `blocks`. */
void ghash_blocks(ghash_state *state, const uint8_t *blocks, size_t count);

#endif
#endif
