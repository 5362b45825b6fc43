/*
 * Assembly for ChaCha20: what it replaces, and where.
 *
 * References: RFC 8439 (2018), sections 2.3 and 2.4.
 *
 * An implementation uses it if api.h defines PW_ASM and the target is one of those below; it
 * defines
 *
 *   CHACHA20_NATIVE_BLOCK   chacha20_block replaces the one in C
 *   CHACHA20_NATIVE_BLOCKS  Armv7-M, RV32I: the function below
 *
 * Both functions follow the procedure call standard, run in constant time and use at most 84 bytes
 * of stack.
 */
#ifndef PENNYWEIGHT_CHACHA_NATIVE_H
#define PENNYWEIGHT_CHACHA_NATIVE_H

#include <stddef.h>
#include <stdint.h>

#include "api.h"
#include "arm.h"
#include "riscv.h"

#if defined(PW_ASM) && (PW_ARMV6M || PW_ARMV7M || PW_RV32I)
#define CHACHA20_NATIVE_BLOCK 1
#endif

#if defined(PW_ASM) && (PW_ARMV7M || PW_RV32I)

#define CHACHA20_NATIVE_BLOCKS 1

/* output = input ^ key stream for `blocks` >= 1 blocks of 64 bytes, and adds their number to the
 * counter. Input and output may have any alignment and may be the same. */
void chacha20_encrypt_blocks(uint32_t state[16], uint8_t *output, const uint8_t *input,
                             size_t blocks);

#endif
#endif
