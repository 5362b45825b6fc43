/*
 * Assembly for BLAKE2s: what it replaces, and where.
 *
 * References: RFC 7693 (2015), section 3.2.
 *
 * An implementation uses it if api.h defines PW_ASM, words have 32 bits and the target is one of
 * those below; it defines
 *
 *   BLAKE2S_NATIVE   the function below replaces blake2_rounds and the code around it
 *   BLAKE2S_ALIGNED  1 if it needs the block at a multiple of 4, else 0
 *
 * The function follows the procedure call standard, runs in constant time and uses at most 144
 * bytes of stack.
 */
#ifndef PENNYWEIGHT_BLAKE2_NATIVE_H
#define PENNYWEIGHT_BLAKE2_NATIVE_H

#include <stdint.h>

#include "api.h"
#include "arm.h"
#include "variant.h"

#if defined(PW_ASM) && (PW_ARMV7M || PW_ARMV6M) && BLAKE2_BLOCK == 64

#define BLAKE2S_NATIVE 1
#define BLAKE2S_ALIGNED PW_ARMV6M

/* F: compresses a block of 64 bytes into h; t bytes precede its end, and `last` is all ones for the
 * last block, else 0. */
void blake2s_compress(uint32_t h[8], const uint8_t *block, const uint32_t t[2], uint32_t last);

#endif
#endif
